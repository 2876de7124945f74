import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, refusedAs } from '../../../kernel/operations/shapes.ts';
import { CHECKOUT_STATUSES } from '../../merchant/contract.ts';
import { Amount } from '../contract.ts';
import { Keys, MembersMetadata, TransactionId } from '../ledger/transactions.schemas.ts';

const ReturnUrl = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'return-url',
      maxLength: 2048,
      description: `${description}: an absolute http or https URL, in which {CHECKOUT_SESSION_ID} is replaced`,
      examples: ['https://app.example.com/wallet'],
    }),
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

/** The provider's identifier in a path. */
export const CheckoutSessionId = refusedAs(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', examples: ['cs_test_a1B2c3D4'] }),
  invalidId('checkout session'),
);

export const OwnCheckout = Type.Object(
  {
    id: ObjectIdShape,
    checkoutSessionId: Type.String({ examples: ['cs_test_a1B2c3D4'] }),
    status: oneOf(CHECKOUT_STATUSES, {
      description: '`open` until it is paid, has failed or has expired, also if the member left the page',
      examples: ['paid'],
    }),
    keys: Keys,
    usd: Type.Number({ description: 'The price in US dollars', examples: [25] }),
    transactionId: nullable({ ...TransactionId, description: 'The Keys that it bought' }),
    createdAt: DateTime,
    expiresAt: DateTime,
    settledAt: nullable(DateTime),
  },
  { $id: 'OwnCheckout' },
);

export const BuyKeysBody = Type.Object({
  amount: Amount,
  successUrl: ReturnUrl('Where the payer returns to after paying'),
  cancelUrl: ReturnUrl('Where the payer returns to without paying'),
  metadata: MembersMetadata,
});
