import { Type } from 'typebox';
import { validationFailed } from '../../kernel/failures.ts';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf, type UserCaller } from '../../kernel/operations/callers.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { mapPage } from '../../kernel/pagination.ts';
import type { Accounts } from './accounts.ts';
import { userNotFound } from './contract.ts';
import { OptionalPlatform, PLATFORMS } from './platforms.ts';
import type { SessionTarget, SessionView } from './sessions.store.ts';
import type { SessionRules } from './sessions.ts';

const SessionShape = Type.Object(
  {
    id: ObjectIdShape,
    platform: oneOf(PLATFORMS),
    device: Type.String({ examples: ['iPhone 17'] }),
    deviceId: nullable(Type.String()),
    userAgent: Type.String(),
    address: Type.String({ examples: ['203.0.113.7'] }),
    createdAt: DateTime,
    lastUsedAt: DateTime,
    isCurrent: Type.Boolean({ description: 'Whether this request came with it' }),
  },
  { $id: 'Session' },
);

const Ended = Type.Object({ sessionsEnded: Type.Integer({ examples: [1] }) }, { $id: 'SessionsEnded' });
const User = Type.Object({ userId: pathId('user') });

/** Part 1: all sessions, one platform, or one device on one platform. */
const Target = Type.Object({
  platform: OptionalPlatform,
  device: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

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
      'Leave out `platform` and `device` to end all sessions. Their access tokens are refused at once.',
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
    summary: 'Your living sessions, newest first',
    access: member,
    query: Type.Object(pageQuery()),
    success: pageOf(SessionShape),
    handle: async ({ caller, query }) =>
      mapPage(await sessions.pageOf(caller.userId, query), viewFor(caller)),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/sessions',
    id: 'listSessionsOfUser',
    tag: 'User administration',
    summary: "A user's living sessions, newest first",
    access: administrator,
    params: User,
    query: Type.Object(pageQuery()),
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
    summary: "End a user's sessions: all, of one platform, or of one device",
    access: administrator,
    params: User,
    query: Target,
    success: ok(Ended, { message: 'Sessions ended' }),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, query, caller, facts }) => ({
      sessionsEnded: await accounts.endSessions(params.userId, targetOf(query), actorOf(caller, facts)),
    }),
  }),
];
