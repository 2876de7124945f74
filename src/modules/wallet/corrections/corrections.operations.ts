import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { created, type Operation, operation } from '../../../kernel/operations/operation.ts';
import { userNotFound } from '../../identity/contract.ts';
import { CREDIT_FAILURES, insufficientBalance, walletNotFound } from '../contract.ts';
import { TransactionIdInPath } from '../ledger/transactions.schemas.ts';
import {
  DebitResult,
  DebitWalletBody,
  ReversalResult,
  ReverseTransactionBody,
} from './corrections.schemas.ts';
import type { DebitRules } from './debits.ts';
import { alreadyReversed, notReversible, type ReversalRules, transactionNotFound } from './reversals.ts';

const tag = 'Wallet';

export const correctionOperations = (debits: DebitRules, reversals: ReversalRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/debit',
    id: 'debitWallet',
    tag,
    summary: "Take Keys from a member's wallet",
    description:
      'Also from a locked or inactive one, or the closed one of a deleted member. The member sees a transaction of the type `refund`.',
    access: administrator,
    isSensitive: true,
    body: DebitWalletBody,
    idempotent: true,
    success: created(DebitResult, { message: 'Keys taken back' }),
    failures: [userNotFound, walletNotFound, insufficientBalance],
    handle: ({ body, caller: admin, facts, idempotency }) =>
      debits.debit(body, { admin, facts, idempotency }),
  }),
  operation({
    method: 'POST',
    path: '/v1/wallets/admin/transactions/:transactionId/reverse',
    id: 'reverseTransaction',
    tag,
    summary: 'Reverse a transfer, or what an administrator granted or took',
    description:
      'Moves the Keys back by a counter-transaction of the type `refund`, once. Purchases are refunded at the payment provider, withdrawals cancelled or settled.',
    access: administrator,
    isSensitive: true,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    body: ReverseTransactionBody,
    idempotent: true,
    success: created(ReversalResult, { message: 'Transaction reversed' }),
    failures: [
      transactionNotFound,
      notReversible,
      alreadyReversed,
      insufficientBalance,
      userNotFound,
      ...CREDIT_FAILURES,
    ],
    handle: ({ params, body, caller: admin, facts, idempotency }) =>
      reversals.reverse(params.transactionId, body, { admin, facts, idempotency }),
  }),
];
