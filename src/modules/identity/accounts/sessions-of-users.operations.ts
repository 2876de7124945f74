import { Type } from 'typebox';
import { mapPage } from '../../../kernel/database/pagination.ts';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { userNotFound } from '../contract.ts';
import { targetOf, viewFor } from '../sessions/sessions.operations.ts';
import { Ended, ListSessionsOfUserQuery, SessionShape, Target } from '../sessions/sessions.schemas.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import type { Accounts } from './accounts.ts';

const tag = 'User administration';
const userParams = Type.Object({ userId: pathId('user') });

/** The sessions of users, for administrators. */
export const sessionsOfUsersOperations = (sessions: SessionRules, accounts: Accounts): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/sessions',
    id: 'listSessionsOfUser',
    tag,
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
    tag,
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
