import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import {
  boundsQuery,
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
} from '../../../kernel/operations/shapes.ts';
import { CHECKOUT_STATUSES } from '../../merchant/contract.ts';
import { Keys, TransactionId } from '../ledger/transactions.schemas.ts';
import { Owner } from '../wallets/wallets.schemas.ts';

export const ListCheckoutsQuery = Type.Object({
  ...cursorQuery({ limit: 50 }),
  status: Type.Optional(oneOf(CHECKOUT_STATUSES)),
  userId: Type.Optional(bodyId('user')),
  ...boundsQuery,
});

export const CheckoutShape = Type.Object(
  {
    id: ObjectIdShape,
    checkoutSessionId: Type.String({ examples: ['cs_test_a1b2'] }),
    userId: ObjectIdShape,
    owner: Owner,
    purpose: Type.String({ examples: ['keys'] }),
    keys: nullable(Keys),
    usd: Type.Number({ description: 'The price in US dollars', examples: [25] }),
    refundedUsd: Type.Number({ description: 'What was paid back of it', examples: [0] }),
    status: oneOf(CHECKOUT_STATUSES, { examples: ['paid'] }),
    transactionId: nullable({ ...TransactionId, description: 'The Keys that it bought' }),
    providerStatus: nullable(
      oneOf(CHECKOUT_STATUSES, {
        description: 'What the payment provider reported last; null if it has reported nothing',
      }),
    ),
    paymentId: nullable(Type.String({ description: "The payment provider's name of the payment" })),
    attempts: Type.Integer({
      description: 'Attempts to reach the payment provider about it that failed since one succeeded',
      examples: [0],
    }),
    lastError: nullable(Type.String({ description: 'Why the last attempt, or the payment, failed' })),
    createdAt: DateTime,
    expiresAt: DateTime,
    settledAt: nullable(DateTime),
  },
  { $id: 'Checkout', description: 'A checkout, and what it bought' },
);
