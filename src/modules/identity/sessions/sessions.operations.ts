import { Type } from 'typebox';
import { mapPage } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import type { ActiveSession, SessionTarget } from './sessions.model.ts';
import { Ended, ListSessionsQuery, SessionShape, Target } from './sessions.schemas.ts';
import { type SessionRules, sessionNotFound } from './sessions.ts';

/** Returns the target if it is valid: a device requires a platform. @throws 422 */
export function targetOf(target: SessionTarget): SessionTarget {
  if (target.device !== undefined && target.platform === undefined) {
    throw validationFailed([{ field: 'platform', message: 'is required with device' }]);
  }
  return target;
}

export const viewFor =
  ({ sessionId }: UserCaller) =>
  (session: ActiveSession) => ({
    ...session,
    lastSeenAt: session.lastUsedAt,
    isCurrent: session.id === sessionId,
  });

export const sessionOperations = (sessions: SessionRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/signout',
    id: 'signOut',
    tag: 'Sign-in',
    summary: 'Sign out everywhere, on one platform, or on one device of a platform',
    description:
      'Leave out `platform` and `device` to end all sessions. Access tokens of ended sessions are rejected immediately.',
    access: member,
    body: Target,
    success: ok(Ended, { message: 'Signed out successfully' }),
    handle: async ({ body, caller }) => ({
      sessionsEnded: await sessions.signOut(caller.userId, targetOf(body)),
    }),
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/sessions',
    id: 'listSessions',
    tag: 'Sign-in',
    summary: 'List your active sessions, newest first',
    access: member,
    query: ListSessionsQuery,
    success: pageOf(SessionShape),
    handle: async ({ caller, query }) =>
      mapPage(await sessions.pageOf(caller.userId, query), viewFor(caller)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/auth/sessions/:sessionId',
    id: 'endSession',
    tag: 'Sign-in',
    summary: 'End one of your sessions',
    access: member,
    params: Type.Object({ sessionId: pathId('session') }),
    success: ok(Ended, { message: 'Session ended' }),
    failures: [sessionNotFound],
    handle: async ({ params, caller }) => ({
      sessionsEnded: await sessions.signOut(caller.userId, { sessionId: params.sessionId }),
    }),
  }),
];
