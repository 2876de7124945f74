import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { answer, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { emailNotVerified } from '../../../kernel/operations/verified-email.ts';
import { WALLET_REMAINS } from '../../wallet/contract.ts';
import { type Accounts, lastAdministrator } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import { wrongPassword } from '../passwords/password-proof.ts';
import { tooManyAttemptsFailure } from '../throttles/throttles.ts';
import {
  DeleteOwnAccountBody,
  DeleteOwnAccountResult,
  DeleteUserBody,
  DeleteUserQuery,
  DeleteUserResult,
} from './account-deletion.schemas.ts';
import type { AccountDeletion } from './account-deletion.ts';
import type { DeletionByAdministrators } from './deletion-by-administrators.ts';

export const accountDeletionOperations = (deletion: AccountDeletion): Operation[] => [
  operation({
    method: 'DELETE',
    path: '/v1/user',
    id: 'deleteOwnAccount',
    tag: 'Users',
    summary: 'Delete your account',
    description:
      'Erases your personal data at once and for good, and ends all of your sessions. What you wrote for others stays, without your name. While your wallet holds Keys or a withdrawal is pending, it is 409 unless `remainingKeys` says what becomes of them; pending withdrawals are then paid out all the same.',
    access: member,
    needsStepUp: true,
    body: DeleteOwnAccountBody,
    success: ok(DeleteOwnAccountResult, { message: 'Your account was deleted' }),
    failures: [wrongPassword, tooManyAttemptsFailure, lastAdministrator, emailNotVerified, ...WALLET_REMAINS],
    handle: ({ body, caller, facts }) => deletion.leave(caller, body, facts),
  }),
];

/** The deletion of an account by an administrator. */
export const deleteUserOperation = (
  deletion: DeletionByAdministrators,
  accounts: Pick<Accounts, 'get'>,
): Operation =>
  operation({
    method: 'DELETE',
    path: '/v1/admin/auth/users/:userId',
    id: 'deleteUser',
    tag: 'User administration',
    summary: 'Delete a user: personal data is erased, the id and the history are kept',
    access: administrator,
    isSensitive: true,
    idempotent: true,
    description:
      'Erases names, addresses, sessions and purchases at once, and what the modules keep of the member within seconds; replaces the name in the audit log, in error reports and in notifications of others. While the wallet holds Keys or a withdrawal is pending, it is 409 unless `remainingKeys` says what becomes of them; pending withdrawals are then paid out all the same. `dryRun=true` answers what would be erased and kept, and `blockedBy` if the deletion would be refused.',
    params: Type.Object({ userId: pathId('user') }),
    query: DeleteUserQuery,
    body: DeleteUserBody,
    success: ok(DeleteUserResult, { message: 'User deleted successfully' }),
    failures: [userNotFound, lastAdministrator, ...WALLET_REMAINS],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, query, body, caller, facts, idempotency }) => {
      const removal = { ...query, ...body };
      const removed = await deletion.remove(params.userId, removal, { caller, facts, idempotency });
      return answer(removed, removed.dryRun ? { message: 'Nothing was deleted' } : {});
    },
  });
