import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { boundsOf } from '../../../kernel/operations/periods.ts';
import { transactionNotFound } from '../history/transactions.ts';
import { TransactionIdInPath } from '../ledger/transactions.schemas.ts';
import { ListAllTransactionsQuery, RecordedTransactionShape } from './all-transactions.schemas.ts';
import type { AllTransactionsRules } from './all-transactions.ts';

const tag = 'Wallet';

export const allTransactionsOperations = (transactions: AllTransactionsRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/wallets/admin/transactions',
    id: 'listAllTransactions',
    tag,
    summary: 'List the transactions of all members with both sides, newest first',
    access: administrator,
    query: ListAllTransactionsQuery,
    success: pageOf(RecordedTransactionShape),
    handle: ({ query: { page, limit, before, summary, from, to, ...filter } }) =>
      transactions.pageOf({ ...filter, ...boundsOf({ from, to }) }, { page, limit, before }, { summary }),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/admin/transactions/:transactionId',
    id: 'getTransactionAsAdmin',
    tag,
    summary: 'Retrieve a transaction with both sides, and with its checkout or payout',
    access: administrator,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    success: ok(RecordedTransactionShape),
    failures: [transactionNotFound],
    handle: ({ params }) => transactions.find(params.transactionId),
  }),
];
