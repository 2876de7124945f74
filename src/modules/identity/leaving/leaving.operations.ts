import { member } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { WALLET_REMAINS } from '../../wallet/contract.ts';
import { lastAdministrator } from '../accounts/accounts.ts';
import { wrongPassword } from '../passwords/proving.ts';
import { tooManyAttemptsFailure } from '../throttles/throttles.ts';
import { DeleteOwnAccountBody, DeleteOwnAccountResult } from './leaving.schemas.ts';
import type { LeavingRules } from './leaving.ts';

export const leavingOperations = (leaving: LeavingRules): Operation[] => [
  operation({
    method: 'DELETE',
    path: '/v1/user',
    id: 'deleteOwnAccount',
    tag: 'Users',
    summary: 'Delete your account',
    description:
      'Erases your personal data at once and for good, and ends all of your sessions. What you wrote for others stays, without your name. While your wallet holds Keys or a withdrawal is pending, it is 409 unless `remainingKeys` says what becomes of them; pending withdrawals are then paid out all the same.',
    access: member,
    body: DeleteOwnAccountBody,
    success: ok(DeleteOwnAccountResult, { message: 'Your account was deleted' }),
    failures: [wrongPassword, tooManyAttemptsFailure, lastAdministrator, ...WALLET_REMAINS],
    handle: ({ body, caller, facts }) => leaving.leave(caller, body, facts),
  }),
];
