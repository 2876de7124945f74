import { Type } from 'typebox';
import { oneOf, pageQuery, periodQuery } from '../../../kernel/operations/shapes.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from './transactions.store.ts';

export const ListTransactionsQuery = Type.Object({
  ...pageQuery({ limit: 50 }),
  type: Type.Optional(oneOf(TRANSACTION_TYPES)),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
  ...periodQuery,
});

export const GetTransactionStatisticsQuery = Type.Object(periodQuery);

export const GetStatementQuery = Type.Object({
  ...periodQuery,
  format: oneOf(['json', 'csv'], { default: 'json' }),
});
