import { Type } from 'typebox';
import { invalidId } from '../../kernel/failures.ts';
import {
  DateTime,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  refusedAs,
} from '../../kernel/operations/shapes.ts';
import { GIFT_SURFACES } from './contract.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from './history/transactions.store.ts';

const Keys = Type.Integer({ description: 'A number of Keys', examples: [250] });
const Currency = oneOf(['Keys'], { examples: ['Keys'] });

export const Description = Type.Optional(
  Type.String({ maxLength: 500, examples: ['For the Monday session'] }),
);
export const OptionalMetadata = Type.Optional(Metadata);

/** Metadata that only the platform may write, to record who moved Keys and why. */
const RESERVED = Object.fromEntries(
  [
    'adminId',
    'adminEmail',
    'manualFunding',
    'fundedAt',
    'checkoutSessionId',
    'withdrawalId',
    'disputeId',
    'disputedUsd',
    'refundedUsd',
  ].map((name) => [name, { not: {} }]),
);
const membersMetadata = (properties: object, more: object = {}) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Metadata,
      ...more,
      properties: { ...RESERVED, ...properties },
      description:
        'Arbitrary key-value pairs, at most 16 KiB of JSON. Keys that the platform sets itself are rejected',
    }),
  );

/** Metadata of purchases and withdrawals, which cannot be marked as gifts. */
export const MembersMetadata = membersMetadata({ gift: { not: {} }, surface: { not: {} } });

export const TransferMetadata = membersMetadata(
  {
    gift: { type: 'boolean', description: 'Whether the transfer is a gift', examples: [true] },
    surface: oneOf(GIFT_SURFACES, { description: 'Where the gift was made' }),
  },
  { dependentRequired: { surface: ['gift'] } },
);

export const WalletShape = Type.Object(
  {
    _id: ObjectIdShape,
    userId: ObjectIdShape,
    balance: Keys,
    balanceUSD: Type.Number({ examples: [250] }),
    currency: Currency,
    isActive: Type.Boolean({ examples: [true] }),
    locked: Type.Boolean({ examples: [false] }),
    lockedReason: Type.Optional(Type.String({ description: 'Present only if locked' })),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Wallet' },
);

export const Balance = Type.Object(
  {
    balance: Type.Integer({ description: 'The Keys that can be spent', examples: [250] }),
    balanceUSD: Type.Number({
      description: 'At the current rate, rounded half-up to cents',
      examples: [250],
    }),
    currency: Currency,
    locked: Type.Boolean({ examples: [false] }),
    isActive: Type.Boolean({ examples: [true] }),
  },
  { $id: 'Balance' },
);

const TransactionId = Type.String({ examples: ['txn_0CX81Z5A9K3WF2M7RQ4T'] });
export const TransactionIdInPath = refusedAs(
  Type.String({ pattern: '^txn_[0-9A-HJKMNP-TV-Z]{20}$', examples: ['txn_0CX81Z5A9K3WF2M7RQ4T'] }),
  invalidId('transaction'),
);
export const ReturnUrl = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'return-url',
      maxLength: 2048,
      description: `${description}: an absolute http or https URL, in which {CHECKOUT_SESSION_ID} is replaced`,
      examples: ['https://app.example.com/wallet'],
    }),
  );
const TypeOfTransaction = oneOf(TRANSACTION_TYPES, { examples: ['transfer'] });
const Status = oneOf(TRANSACTION_STATUSES, { examples: ['completed'] });
const SideBalance = nullable(Type.Integer({ description: 'Only for your own side; null for the other' }));

const transactionFields = {
  transactionId: TransactionId,
  fromUserId: nullable(ObjectIdShape),
  toUserId: nullable(ObjectIdShape),
  amount: Keys,
  currency: Currency,
  type: TypeOfTransaction,
  status: Status,
  description: Type.String(),
  metadata: Metadata,
};

export const TransactionShape = Type.Object(
  {
    ...transactionFields,
    fee: Type.Integer({ examples: [0] }),
    netAmount: Type.Integer({ description: 'Keys after fees' }),
    fromBalanceBefore: SideBalance,
    fromBalanceAfter: SideBalance,
    toBalanceBefore: SideBalance,
    toBalanceAfter: SideBalance,
    createdAt: DateTime,
    processedAt: nullable(DateTime),
  },
  { $id: 'Transaction' },
);

export const CheckoutSession = Type.Object(
  {
    checkoutSessionId: Type.String({ examples: ['cs_test_a1B2c3D4'] }),
    paymentLink: Type.String({
      format: 'http-url',
      description: 'The address to send the member to',
      examples: ['https://checkout.example.com/pay/cs_test_a1B2c3D4'],
    }),
    expiresAt: DateTime,
    keysAmount: Keys,
    usdAmount: Type.Number({ description: 'The amount that will be charged', examples: [25] }),
    currency: oneOf(['USD'], { examples: ['USD'] }),
  },
  { $id: 'CheckoutSession' },
);

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

const Owner = nullable(
  Type.Object(
    {
      userId: ObjectIdShape,
      email: Type.String({ examples: ['ada@example.com'] }),
      firstName: Type.String({ examples: ['Ada'] }),
      lastName: Type.String({ examples: ['Lovelace'] }),
    },
    { description: 'The owner; null if the member was deleted' },
  ),
);

export const OwnedWallet = Type.Object(
  { ...WalletShape.properties, owner: Owner },
  { $id: 'OwnedWallet', description: 'A wallet and its owner' },
);

export const OwnedWithdrawal = Type.Object(
  { ...WithdrawalShape.properties, owner: Owner },
  { $id: 'OwnedWithdrawal', description: 'A withdrawal and its owner' },
);

export const InspectedWallet = Type.Object(
  {
    ...OwnedWallet.properties,
    heldKeys: Type.Integer({ description: 'Keys held by pending withdrawals', examples: [40] }),
    pendingWithdrawals: Type.Array(WithdrawalShape, { description: 'The 100 newest' }),
  },
  { $id: 'InspectedWallet' },
);

const Count = Type.Integer({ examples: [12] });
const SumOfType = Type.Object({
  count: Count,
  amount: Type.Integer({ description: 'Keys; negative when more went out than came in', examples: [-40] }),
});

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

export const AdminFundingResult = Type.Object(
  {
    wallet: Type.Pick(WalletShape, ['_id', 'userId', 'balance', 'currency', 'isActive', 'locked']),
    transaction: Type.Object({
      _id: ObjectIdShape,
      ...transactionFields,
      createdAt: DateTime,
      processedAt: nullable(DateTime),
    }),
    transactionId: Type.String({ description: "The record's `_id`" }),
  },
  { $id: 'AdminFundingResult' },
);
