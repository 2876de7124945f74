import { Type } from 'typebox';
import type { ObjectId } from '../../../kernel/ids.ts';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf, Streamed } from '../../../kernel/operations/operation.ts';
import { periodOf } from '../../../kernel/operations/periods.ts';
import { walletNotFound } from '../contract.ts';
import type { Period } from '../ledger/entry-ranges.model.ts';
import { TransactionIdInPath } from '../ledger/transactions.schemas.ts';
import {
  GetOwnStatementQuery,
  GetStatementQuery,
  GetTransactionStatisticsQuery,
  ListTransactionsQuery,
  StatementShape,
  TransactionShape,
  TransactionStatistics,
} from './history.schemas.ts';
import { MAX_OWN_ENTRIES, type StatementRules, type StatementSums, statementTooLong } from './statements.ts';
import type { StatisticsRules } from './statistics.ts';
import { type TransactionRules, transactionNotFound } from './transactions.ts';

const tag = 'Wallet';

interface Reports {
  transactions: TransactionRules;
  statistics: StatisticsRules;
  statements: StatementRules;
}

/** Returns what a statement says besides its entries. */
const headOf = (
  userId: ObjectId,
  { from, to }: Period,
  { openingBalance, closingBalance, entryCount }: StatementSums,
) => ({
  userId,
  startDate: from ?? null,
  endDate: to ?? null,
  currency: 'Keys' as const,
  openingBalance,
  closingBalance,
  entryCount,
});

/** Reports from the ledger: transactions, statistics and statements. */
export const reportOperations = ({ transactions, statistics, statements }: Reports): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/wallets/transactions',
    id: 'listTransactions',
    tag,
    summary: 'List your transactions, newest first',
    access: member,
    query: ListTransactionsQuery,
    success: pageOf(TransactionShape),
    handle: ({ query: { page, limit, before, type, status, ...period }, caller }) =>
      transactions.pageOf(caller.userId, { type, status, ...periodOf(period) }, { page, limit, before }),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/transactions/:transactionId',
    id: 'getTransaction',
    tag,
    summary: 'Retrieve one of your transactions',
    access: member,
    params: Type.Object({ transactionId: TransactionIdInPath }),
    success: ok(TransactionShape),
    failures: [transactionNotFound],
    handle: ({ params, caller }) => transactions.find(caller.userId, params.transactionId),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/statistics',
    id: 'getTransactionStatistics',
    tag,
    summary: 'Retrieve totals of your transactions',
    description: 'Covers all time, or the given period. `refund` is present only if there was a refund.',
    access: member,
    query: GetTransactionStatisticsQuery,
    success: ok(TransactionStatistics),
    handle: ({ query, caller }) => statistics(caller.userId, periodOf(query)),
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/statement',
    id: 'getOwnStatement',
    tag,
    summary: 'Retrieve a statement of your wallet',
    description: `Lists all entries of a period, oldest first, with the opening and closing balance. A period may have ${MAX_OWN_ENTRIES.toLocaleString('en')} entries.`,
    access: member,
    query: GetOwnStatementQuery,
    success: ok(StatementShape),
    failures: [walletNotFound, statementTooLong],
    handle: async ({ query, caller }) => {
      const period = periodOf(query);
      const statement = await statements.whole(caller.userId, period);
      return { ...headOf(caller.userId, period, statement), entries: statement.entries };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/wallets/admin/:userId/statement',
    id: 'getStatement',
    tag,
    summary: "Retrieve a statement of a member's wallet",
    description:
      'Lists all entries of a period, oldest first, with the opening and closing balance. Available as JSON or CSV, with no limit on length.',
    access: administrator,
    params: Type.Object({ userId: pathId('user') }),
    query: GetStatementQuery,
    success: ok(StatementShape, { alsoAs: 'text/csv' }),
    failures: [walletNotFound],
    handle: async ({ params: { userId }, query: { format, ...dates } }) => {
      const period = periodOf(dates);
      if (format === 'csv') {
        const chunks = await statements.csvOf(userId, period);
        const fileName = `statement-${userId}.csv`;
        return new Streamed({ kind: 'text', contentType: 'text/csv; charset=utf-8', fileName, chunks });
      }
      const statement = await statements.of(userId, period);
      const head = headOf(userId, period, statement);
      return new Streamed({ kind: 'list', head, field: 'entries', items: statement.entries });
    },
  }),
];
