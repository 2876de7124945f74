import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation, pageOf, Streamed } from '../../../kernel/operations/operation.ts';
import { periodOf } from '../../../kernel/operations/periods.ts';
import { walletNotFound } from '../contract.ts';
import { TransactionIdInPath } from '../ledger/transactions.schemas.ts';
import {
  GetStatementQuery,
  GetTransactionStatisticsQuery,
  ListTransactionsQuery,
  StatementShape,
  TransactionShape,
  TransactionStatistics,
} from './history.schemas.ts';
import type { StatementRules } from './statements.ts';
import type { StatisticsRules } from './statistics.ts';
import { type TransactionRules, transactionNotFound } from './transactions.ts';

const tag = 'Wallet';

interface Reports {
  transactions: TransactionRules;
  statistics: StatisticsRules;
  statements: StatementRules;
}

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
      const { openingBalance, closingBalance, entryCount, entries } = await statements.of(userId, period);
      const head = {
        userId,
        startDate: period.from ?? null,
        endDate: period.to ?? null,
        currency: 'Keys',
        openingBalance,
        closingBalance,
        entryCount,
      };
      return new Streamed({ kind: 'list', head, field: 'entries', items: entries });
    },
  }),
];
