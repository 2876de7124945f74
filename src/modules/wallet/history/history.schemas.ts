import { Type } from 'typebox';
import {
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  periodQuery,
  WrittenDateTime,
} from '../../../kernel/operations/shapes.ts';
import { TransactionInQuery } from '../contract.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../ledger/transactions.model.ts';
import {
  amountFields,
  Currency,
  Keys,
  Status,
  TransactionId,
  TypeOfTransaction,
  transactionFields,
} from '../ledger/transactions.schemas.ts';

export const ListTransactionsQuery = Type.Object({
  ...cursorQuery({ limit: 50, before: TransactionInQuery, cursorOf: ['transactionId'] }),
  type: Type.Optional(oneOf(TRANSACTION_TYPES)),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
  ...periodQuery,
});

export const GetTransactionStatisticsQuery = Type.Object(periodQuery);

export const GetOwnStatementQuery = Type.Object(periodQuery);

export const GetStatementQuery = Type.Object({
  ...periodQuery,
  format: oneOf(['json', 'csv'], { default: 'json' }),
});

const SideBalance = nullable(Type.Integer({ description: 'Only for your own side; null for the other' }));

export const TransactionShape = Type.Object(
  {
    ...transactionFields,
    ...amountFields,
    fromBalanceBefore: SideBalance,
    fromBalanceAfter: SideBalance,
    toBalanceBefore: SideBalance,
    toBalanceAfter: SideBalance,
    createdAt: WrittenDateTime,
    processedAt: nullable(WrittenDateTime),
  },
  { $id: 'Transaction' },
);

const Count = Type.Integer({ examples: [12] });

const SumOfType = Type.Object(
  {
    count: Count,
    amount: Type.Integer({ description: 'Keys; negative when more went out than came in', examples: [-40] }),
  },
  { $id: 'SumOfType' },
);

export const TransactionStatistics = Type.Object(
  {
    totalIn: Keys,
    totalOut: Keys,
    netBalance: Type.Integer({ description: 'Incoming minus outgoing Keys; over all time, the balance' }),
    totalTransactions: Count,
    byType: Type.Object({
      fund: SumOfType,
      transfer: SumOfType,
      withdrawal: SumOfType,
      refund: Type.Optional(SumOfType),
    }),
  },
  { $id: 'TransactionStatistics' },
);

export const StatementShape = Type.Object(
  {
    userId: ObjectIdShape,
    startDate: nullable(DateTime),
    endDate: nullable(DateTime),
    currency: Currency,
    openingBalance: Keys,
    closingBalance: Keys,
    entryCount: Count,
    entries: Type.Array(
      Type.Object({
        seq: Type.Integer({ description: 'The sequence number of the entry in the wallet' }),
        at: DateTime,
        transactionId: TransactionId,
        type: TypeOfTransaction,
        status: Status,
        fromUserId: nullable(ObjectIdShape),
        toUserId: nullable(ObjectIdShape),
        description: Type.String(),
        change: Type.Integer({ description: 'Negative for outgoing Keys', examples: [-25] }),
        balanceAfter: Keys,
      }),
    ),
  },
  { $id: 'Statement' },
);
