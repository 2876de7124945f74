import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { summaryQuery } from '../../../kernel/operations/list-summaries.ts';
import { ReasonShape } from '../../../kernel/operations/reasons.ts';
import {
  cursorQuery,
  DateTime,
  InstantText,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
} from '../../../kernel/operations/shapes.ts';
import { Amount, TransactionInQuery } from '../contract.ts';
import { TRANSACTION_STATUSES } from '../ledger/transactions.model.ts';
import {
  Currency,
  Description,
  Keys,
  MembersMetadata,
  Status,
  TransactionId,
} from '../ledger/transactions.schemas.ts';
import { Owner } from '../wallets/wallets.schemas.ts';
import { WITHDRAWAL_OUTCOMES } from './withdrawals.model.ts';

export const WithdrawalResult = Type.Object(
  {
    wallet: Type.Object({ balance: Keys }),
    transaction: Type.Object({
      transactionId: TransactionId,
      type: oneOf(['withdrawal']),
      amount: Keys,
      status: oneOf(['pending']),
    }),
  },
  { $id: 'WithdrawalResult' },
);

export const WithdrawalShape = Type.Object(
  {
    _id: ObjectIdShape,
    transactionId: TransactionId,
    userId: ObjectIdShape,
    amount: Keys,
    currency: Currency,
    type: oneOf(['withdrawal']),
    status: Status,
    description: Type.String(),
    metadata: Metadata,
    createdAt: DateTime,
    processedAt: nullable(DateTime),
  },
  { $id: 'Withdrawal' },
);

export const OwnedWithdrawal = Type.Object(
  {
    ...WithdrawalShape.properties,
    owner: Owner,
    providerId: nullable(
      Type.String({ description: "The payment provider's name of the payout", examples: ['po_1Nq2'] }),
    ),
    attempts: Type.Integer({
      description: 'Attempts to reach the payment provider about it that failed since one succeeded',
      examples: [0],
    }),
    lastError: nullable(Type.String({ description: 'Why the last attempt, or the payout, failed' })),
  },
  { $id: 'OwnedWithdrawal', description: 'A withdrawal, its owner and its payout' },
);

export const WithdrawKeysBody = Type.Object({
  amount: Amount,
  description: Description,
  metadata: MembersMetadata,
});

export const PayOutRemainingBody = Type.Object({
  userId: bodyId('user'),
  amount: Type.Optional({ ...Amount, description: 'All Keys of the wallet by default' }),
  reason: ReasonShape,
});

export const ListWithdrawalsQuery = Type.Object({
  ...cursorQuery({ limit: 50, before: TransactionInQuery, cursorOf: ['transactionId'] }),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
  userId: Type.Optional(bodyId('user')),
  olderThan: Type.Optional({ ...InstantText, description: 'Requested before this instant' }),
  ...summaryQuery,
});

export const SettleWithdrawalBody = Type.Object({
  outcome: oneOf(WITHDRAWAL_OUTCOMES),
  reason: optionalText(500, { default: '', examples: ['Paid by bank transfer'] }),
});
