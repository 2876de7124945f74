import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { accepted, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import { tooManyResets } from '../passwords/password-resets.ts';
import { Empty } from '../passwords/passwords.schemas.ts';
import { Ended } from '../sessions/sessions.schemas.ts';
import { sessionNotFound } from '../sessions/sessions.ts';
import { AccessVerdict } from './support.schemas.ts';
import type { SupportRules } from './support.ts';

const tag = 'User administration';
const base = '/v1/admin/auth/users/:userId';
const userParams = Type.Object({ userId: pathId('user') });

export const supportOperations = (support: SupportRules, accounts: Accounts): Operation[] => [
  operation({
    method: 'GET',
    path: `${base}/access`,
    id: 'getAccessOfUser',
    tag,
    summary: 'See on which platforms a user can sign in, and why not on others',
    access: administrator,
    params: userParams,
    success: ok(Type.Array(AccessVerdict)),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: ({ loaded }) => support.accessOf(loaded),
  }),
  operation({
    method: 'GET',
    path: '/v1/user/access',
    id: 'listOwnAccess',
    tag: 'Users',
    summary: 'See on which platforms you can sign in, by which purchase and until when',
    access: member,
    success: ok(Type.Array(AccessVerdict)),
    failures: [userNotFound],
    handle: async ({ caller }) => support.accessOf(await accounts.get(caller.userId)),
  }),
  operation({
    method: 'DELETE',
    path: `${base}/sessions/:sessionId`,
    id: 'endSessionOfUser',
    tag,
    summary: 'End a session of a user',
    access: administrator,
    params: Type.Object({ userId: pathId('user'), sessionId: pathId('session') }),
    success: ok(Ended, { message: 'Session ended' }),
    failures: [userNotFound, sessionNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params: { userId, sessionId }, caller, facts }) => ({
      sessionsEnded: await accounts.endSessions(userId, { sessionId }, actorOf(caller, facts)),
    }),
  }),
  operation({
    method: 'POST',
    path: `${base}/password-reset`,
    id: 'sendPasswordReset',
    tag,
    summary: 'Send a user the code for a new password',
    description:
      'Two minutes after the last code at the earliest. It does not count among the requests of a day, which anybody can use up.',
    access: administrator,
    params: userParams,
    success: accepted(Empty, { message: 'The code is on its way' }),
    failures: [userNotFound, () => tooManyResets(60)],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ loaded, caller, facts }) => {
      await support.sendPasswordReset(loaded, actorOf(caller, facts));
      return {};
    },
  }),
];
