import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import {
  METADATA_LIMIT,
  Metadata,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  refusedAs,
} from '../../../kernel/operations/shapes.ts';
import { TransactionInQuery } from '../contract.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from './transactions.model.ts';

export const Keys = Type.Integer({ description: 'A number of Keys', examples: [250] });

export const Currency = oneOf(['Keys'], { examples: ['Keys'] });

export const Description = Type.Optional(optionalText(500, { examples: ['For the Monday session'] }));

/** Metadata keys that only the platform may write, to record who moved Keys and why. */
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
    'correction',
    'manualDebit',
    'reversalOf',
    'courseId',
  ].map((name) => [name, { not: {} }]),
);

export const membersMetadata = (properties: object, more: object = {}) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...Metadata,
      ...more,
      properties: { ...RESERVED, ...properties },
      description: `${METADATA_LIMIT}. Keys that the platform sets itself are rejected`,
    }),
  );

/** Metadata of purchases and withdrawals, which cannot be marked as gifts. */
export const MembersMetadata = membersMetadata({ gift: { not: {} }, surface: { not: {} } });

export const TransactionId = Type.String({ examples: ['txn_0CX81Z5A9K3WF2M7RQ4T'] });

export const TransactionIdInPath = refusedAs(TransactionInQuery, invalidId('transaction'));

export const TypeOfTransaction = oneOf(TRANSACTION_TYPES, {
  $id: 'TransactionType',
  examples: ['transfer'],
});

export const Status = oneOf(TRANSACTION_STATUSES, {
  $id: 'TransactionStatus',
  examples: ['completed'],
});

export const transactionFields = {
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

export const amountFields = {
  fee: Type.Integer({ examples: [0] }),
  netAmount: Type.Integer({ description: 'Keys after fees' }),
};
