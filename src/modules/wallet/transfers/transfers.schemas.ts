import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { DateTime, Metadata, nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { Amount, GIFT_SURFACES } from '../contract.ts';
import {
  amountFields,
  Description,
  Keys,
  membersMetadata,
  Status,
  TransactionId,
  TypeOfTransaction,
  transactionFields,
} from '../ledger/transactions.schemas.ts';
import { WalletShape } from '../wallets/wallets.schemas.ts';

const TransferMetadata = membersMetadata(
  {
    gift: { type: 'boolean', description: 'Whether the transfer is a gift', examples: [true] },
    surface: oneOf(GIFT_SURFACES, { description: 'Where the gift was made' }),
  },
  { dependentRequired: { surface: ['gift'] } },
);

export const TransferKeysBody = Type.Object({
  toUserId: bodyId('user'),
  amount: Amount,
  description: Description,
  metadata: TransferMetadata,
});

export const FundWalletAsAdminBody = Type.Object({
  userId: bodyId('user'),
  amount: Amount,
  description: Description,
  metadata: Type.Optional(Metadata),
});

const SideOfTransfer = Type.Object({ userId: ObjectIdShape, balance: Keys });

export const TransferResult = Type.Object(
  {
    fromWallet: SideOfTransfer,
    toWallet: SideOfTransfer,
    transaction: Type.Object({
      transactionId: TransactionId,
      type: TypeOfTransaction,
      amount: Keys,
      status: Status,
    }),
  },
  { $id: 'TransferResult' },
);

const MembersBalance = nullable(Type.Integer({ description: 'Null where the side is no member' }));

export const AdminFundingResult = Type.Object(
  {
    wallet: Type.Pick(WalletShape, ['_id', 'userId', 'balance', 'currency', 'isActive', 'locked'], {
      $id: 'ChangedWallet',
    }),
    transaction: Type.Object(
      {
        _id: ObjectIdShape,
        ...transactionFields,
        ...amountFields,
        fromBalanceBefore: MembersBalance,
        fromBalanceAfter: MembersBalance,
        toBalanceBefore: MembersBalance,
        toBalanceAfter: MembersBalance,
        createdAt: DateTime,
        processedAt: nullable(DateTime),
      },
      { $id: 'TransactionRecord' },
    ),
    transactionId: Type.String({ description: "The record's `_id`" }),
  },
  { $id: 'AdminFundingResult' },
);
