import { Type } from 'typebox';
import {
  DateTime,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
} from '../../../kernel/operations/shapes.ts';
import { Amount } from '../contract.ts';
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
  { ...WithdrawalShape.properties, owner: Owner },
  { $id: 'OwnedWithdrawal', description: 'A withdrawal and its owner' },
);

export const WithdrawKeysBody = Type.Object({
  amount: Amount,
  description: Description,
  metadata: MembersMetadata,
});

export const ListWithdrawalsQuery = Type.Object({
  ...pageQuery({ limit: 50 }),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
});

export const SettleWithdrawalBody = Type.Object({
  outcome: oneOf(WITHDRAWAL_OUTCOMES),
  reason: Type.String({ maxLength: 500, default: '', examples: ['Paid by bank transfer'] }),
});
