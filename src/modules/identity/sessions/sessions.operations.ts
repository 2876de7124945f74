import { Type } from 'typebox';
import { mapPage } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf, type UserCaller } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import type { SessionTarget, SessionView } from './sessions.model.ts';
import {
  Ended,
  ListSessionsOfUserQuery,
  ListSessionsQuery,
  SessionShape,
  Target,
} from './sessions.schemas.ts';
import type { SessionRules } from './sessions.ts';

const userParams = Type.Object({ userId: pathId('user') });

/** Returns the target if it is valid: a device requires a platform. @throws 422 */
function targetOf(target: SessionTarget): SessionTarget {
  if (target.device !== undefined && target.platform === undefined) {
    throw validationFailed([{ field: 'platform', message: 'is required with device' }]);
  }
  return target;
}

const viewFor =
  ({ sessionId }: UserCaller) =>
  (session: SessionView) => ({ ...session, isCurrent: session.id === sessionId });

export const sessionOperations = (sessions: SessionRules, accounts: Accounts): Operation[] => [
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
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/sessions',
    id: 'listSessionsOfUser',
    tag: 'User administration',
    summary: 'List the active sessions of a user, newest first',
    access: administrator,
    params: userParams,
    query: ListSessionsOfUserQuery,
    success: pageOf(SessionShape),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, caller, query }) =>
      mapPage(await sessions.pageOf(params.userId, query), viewFor(caller)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/auth/users/:userId/sessions',
    id: 'endSessionsOfUser',
    tag: 'User administration',
    summary: 'End the sessions of a user: all, those of a platform, or those of a device',
    access: administrator,
    params: userParams,
    query: Target,
    success: ok(Ended, { message: 'Sessions ended' }),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, query, caller, facts }) => ({
      sessionsEnded: await accounts.endSessions(params.userId, targetOf(query), actorOf(caller, facts)),
    }),
  }),
];
