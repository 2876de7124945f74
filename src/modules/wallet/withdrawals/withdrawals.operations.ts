import { Type } from 'typebox';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { instantOf } from '../../../kernel/time/time.ts';
import { payoutUnderWay, payoutUnknown } from '../../merchant/contract.ts';
import {
  amountTooLarge,
  amountTooSmall,
  CREDIT_FAILURES,
  insufficientBalance,
  WITHDRAWAL_FAILURES,
  walletNotFound,
} from '../contract.ts';
import { TransactionIdInPath } from '../ledger/transactions.schemas.ts';
import type { FollowUpRules } from './following-up.ts';
import { memberNotDeleted, type RemainingKeysRules } from './remaining-keys.ts';
import {
  ListWithdrawalsQuery,
  OwnedWithdrawal,
  PayOutRemainingBody,
  SettleWithdrawalBody,
  WithdrawalResult,
  WithdrawalShape,
  WithdrawKeysBody,
} from './withdrawals.schemas.ts';
import { type WithdrawalRules, withdrawalNotFound, withdrawalNotPending } from './withdrawals.ts';

const tag = 'Wallet';

const OF_ENDING = [
  ...CREDIT_FAILURES,
  withdrawalNotFound,
  withdrawalNotPending,
  payoutUnderWay,
  paymentUnavailable,
];

interface WithdrawalParts {
  withdrawals: WithdrawalRules;
  followUp: FollowUpRules;
  remaining: RemainingKeysRules;
}

/** Operations for the payout of Keys. */
export const withdrawalOperations = ({ withdrawals, followUp, remaining }: WithdrawalParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/withdraw',
    id: 'withdrawKeys',
    tag,
    summary: 'Request a withdrawal of Keys',
    description:
      'The Keys are held immediately, and their value is fixed at the current exchange rate, rounded down to the cent. The withdrawal is `pending` until its payout ends. It then becomes `completed`, or `failed` or `cancelled`, in which case the Keys are returned.',
    access: member,
    needsStepUp: true,
    needsVerifiedEmail: true,
    body: WithdrawKeysBody,
    idempotent: true,
    success: created(WithdrawalResult, { message: 'Withdrawal requested successfully' }),
    failures: WITHDRAWAL_FAILURES,
    handle: ({ body, caller, idempotency }) => withdrawals.request(caller, body, idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/withdrawals/:transactionId/cancel',
    id: 'cancelWithdrawal',
    tag,
    summary: 'Cancel your pending withdrawal',
    access: member,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    load: ({ params, caller }) => withdrawals.find(params.transactionId, caller.userId),
    idempotent: true,
    success: ok(WithdrawalShape, { message: 'Withdrawal cancelled successfully' }),
    failures: OF_ENDING,
    handle: ({ loaded: withdrawal, idempotency }) => withdrawals.cancel(withdrawal, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/admin/withdrawals',
    id: 'listWithdrawals',
    tag,
    summary: 'List withdrawals of all members, newest first',
    access: administrator,
    query: ListWithdrawalsQuery,
    success: pageOf(OwnedWithdrawal),
    handle: ({ query: { page, limit, before, summary, olderThan, ...filter } }) =>
      followUp.listed(
        { ...filter, olderThan: olderThan === undefined ? undefined : instantOf(olderThan) },
        { page, limit, before },
        { summary },
      ),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/withdrawals',
    id: 'payOutRemainingKeys',
    tag,
    summary: 'Request the payout of Keys of a deleted member',
    description:
      'For Keys that are back in a closed wallet because their payout failed, at the current exchange rate. The withdrawal is like one that the member requested.',
    access: administrator,
    isSensitive: true,
    body: PayOutRemainingBody,
    idempotent: true,
    success: created(WithdrawalShape, { message: 'Withdrawal requested successfully' }),
    failures: [
      ...CREDIT_FAILURES,
      memberNotDeleted,
      walletNotFound,
      insufficientBalance,
      amountTooSmall,
      amountTooLarge,
    ],
    handle: ({ body, caller, facts, idempotency }) => remaining.payOut(body, { caller, facts, idempotency }),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/withdrawals/:transactionId/retry',
    id: 'retryWithdrawal',
    tag,
    summary: 'Query the payment provider about a pending withdrawal at once',
    description:
      'A payout that the provider does not have yet is submitted; otherwise its state is read and applied. The platform does the same by itself, at growing intervals.',
    access: administrator,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    load: ({ params }) => withdrawals.find(params.transactionId),
    idempotent: true,
    success: ok(OwnedWithdrawal, { message: 'The payment provider was asked' }),
    failures: [
      withdrawalNotFound,
      withdrawalNotPending,
      payoutUnknown,
      paymentUnavailable,
      ...CREDIT_FAILURES,
    ],
    handle: ({ loaded: withdrawal, caller, facts, idempotency }) =>
      followUp.retry(withdrawal, actorOf(caller, facts), idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/withdrawals/:transactionId/settle',
    id: 'settleWithdrawal',
    tag,
    summary: 'Settle a pending withdrawal manually',
    description:
      'A payout that was already sent to the provider is cancelled there first. If it can no longer be cancelled, the request fails and nothing changes. If the provider cannot be reached (503), `failed` is carried out once it can, and `completed` is dropped: settle it again. If the provider answers that it does not know the payout, which nothing follows from about the money, the decision takes effect, and the audit log has it with `unknownToProvider`: look at the provider first.',
    access: administrator,
    isSensitive: true,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    body: SettleWithdrawalBody,
    load: ({ params }) => withdrawals.find(params.transactionId),
    idempotent: true,
    success: ok(WithdrawalShape, { message: 'Withdrawal settled successfully' }),
    failures: OF_ENDING,
    handle: ({ loaded: withdrawal, body, caller, facts, idempotency }) =>
      withdrawals.settle(withdrawal, body, { caller, facts, idempotency }),
  }),
];
