import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { summaryQuery } from '../../../kernel/operations/list-summaries.ts';
import {
  boundsQuery,
  cursorQuery,
  DateTime,
  MAX_INTEGER,
  nullable,
  ObjectIdShape,
  oneOf,
} from '../../../kernel/operations/shapes.ts';
import { TransactionInQuery } from '../contract.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../ledger/transactions.model.ts';
import { Keys, transactionFields } from '../ledger/transactions.schemas.ts';
import { Owner } from '../wallets/wallets.schemas.ts';

export const ListAllTransactionsQuery = Type.Object({
  ...cursorQuery({ limit: 50, before: TransactionInQuery, cursorOf: ['transactionId'] }),
  type: Type.Optional(oneOf(TRANSACTION_TYPES)),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
  userId: Type.Optional(bodyId('user')),
  minAmount: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'In Keys' })),
  ...boundsQuery,
  checkoutSessionId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The Keys bought with this checkout, and those taken back for it',
      examples: ['cs_test_a1b2'],
    }),
  ),
  ...summaryQuery,
});

const Side = (description: string) =>
  nullable(
    Type.Object(
      { owner: Owner, userId: ObjectIdShape, balanceBefore: Keys, balanceAfter: Keys },
      { $id: 'TransactionSide', description },
    ),
  );

const Payment = Type.Object(
  {
    id: ObjectIdShape,
    providerId: nullable(Type.String({ description: "The payment provider's name of it" })),
    status: Type.String(),
    lastError: nullable(Type.String({ description: 'Why it, or the last attempt to ask about it, failed' })),
  },
  { $id: 'ProviderPayment' },
);

export const RecordedTransactionShape = Type.Object(
  {
    _id: ObjectIdShape,
    ...transactionFields,
    from: Side('The wallet that lost the Keys; null if the platform issued or returned them'),
    to: Side('The wallet that got the Keys; null if they went to the platform, or are held for a payout'),
    checkout: nullable({ ...Payment, description: 'Of Keys that were bought' }),
    payout: nullable({ ...Payment, description: 'Of a withdrawal, and of the return of its Keys' }),
    createdAt: DateTime,
    processedAt: nullable(DateTime),
  },
  { $id: 'RecordedTransaction', description: 'A transaction with both sides' },
);
