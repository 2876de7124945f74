import { Type } from 'typebox';
import { paymentUnavailable } from '../../external/payment/port.ts';
import { administrator, member } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { payoutUnderWay, priceOutOfRange } from '../merchant/contract.ts';
import {
  balanceLimitExceeded,
  insufficientBalance,
  walletInactive,
  walletLocked,
  walletNotFound,
} from './contract.ts';
import { amountTooLarge, amountTooSmall } from './exchange-rates.ts';
import {
  BuyKeysBody,
  ListWithdrawalsQuery,
  SettleWithdrawalBody,
  WithdrawKeysBody,
} from './money.schemas.ts';
import type { OwnerRules } from './owners.ts';
import type { PurchaseRules } from './purchases.ts';
import {
  CheckoutSession,
  OwnedWithdrawal,
  TransactionIdInPath,
  WithdrawalResult,
  WithdrawalShape,
} from './wallet.schemas.ts';
import { type WithdrawalRules, withdrawalNotFound, withdrawalNotPending } from './withdrawals.ts';

const tag = 'Wallet';
const OF_ENDING = [withdrawalNotFound, withdrawalNotPending, payoutUnderWay, paymentUnavailable];

interface MoneyParts {
  purchases: PurchaseRules;
  withdrawals: WithdrawalRules;
  owners: OwnerRules;
}

/** Buying Keys, and having them paid out. */
export const moneyOperations = ({ purchases, withdrawals, owners }: MoneyParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/fund',
    id: 'buyKeys',
    tag,
    summary: 'Buy Keys by a hosted checkout',
    description:
      'Answers the link where to pay. The price is that of now, rounded up to the cent, and stays; the Keys come once it is paid. A checkout is open for 24 hours.',
    access: member,
    body: BuyKeysBody,
    idempotent: true,
    success: created(CheckoutSession, { message: 'Checkout session created successfully' }),
    failures: [
      paymentUnavailable,
      amountTooSmall,
      priceOutOfRange,
      balanceLimitExceeded,
      walletLocked,
      walletInactive,
    ],
    handle: ({ body, caller, idempotency }) => purchases.buy(caller.userId, body, idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/withdraw',
    id: 'withdrawKeys',
    tag,
    summary: 'Have Keys paid out',
    description:
      'The Keys are held at once, at what they are worth now, rounded down to the cent. The withdrawal is pending until its payout has ended: completed, or failed or cancelled, and then the Keys return.',
    access: member,
    body: WithdrawKeysBody,
    idempotent: true,
    success: created(WithdrawalResult, { message: 'Withdrawal requested successfully' }),
    failures: [
      insufficientBalance,
      amountTooSmall,
      amountTooLarge,
      balanceLimitExceeded,
      walletNotFound,
      walletLocked,
      walletInactive,
    ],
    handle: ({ body, caller, idempotency }) => withdrawals.request(caller.userId, body, idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/withdrawals/:transactionId/cancel',
    id: 'cancelWithdrawal',
    tag,
    summary: 'Cancel a withdrawal of yours that is pending',
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
    summary: 'Withdrawals of all members, newest first',
    access: administrator,
    query: ListWithdrawalsQuery,
    success: pageOf(OwnedWithdrawal),
    handle: async ({ query: { status, ...page } }) =>
      owners.ofPage(await withdrawals.pageOf({ status }, page)),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/withdrawals/:transactionId/settle',
    id: 'settleWithdrawal',
    tag,
    summary: 'End a pending withdrawal by hand',
    description:
      'A payout that the provider has already is cancelled there first; when it cannot be, that is told and nothing changes.',
    access: administrator,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    body: SettleWithdrawalBody,
    load: ({ params }) => withdrawals.find(params.transactionId),
    idempotent: true,
    success: ok(WithdrawalShape, { message: 'Withdrawal settled successfully' }),
    failures: OF_ENDING,
    handle: ({ loaded: withdrawal, body, caller, facts, idempotency }) =>
      withdrawals.settle(withdrawal, body, actorOf(caller, facts), idempotency),
  }),
];
