import { Type } from 'typebox';
import { DateTime, oneOf } from '../../../kernel/operations/shapes.ts';
import { Amount } from '../contract.ts';
import { Keys, MembersMetadata } from '../ledger/transactions.schemas.ts';

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

export const BuyKeysBody = Type.Object({
  amount: Amount,
  successUrl: ReturnUrl('Where the payer returns to after paying'),
  cancelUrl: ReturnUrl('Where the payer returns to without paying'),
  metadata: MembersMetadata,
});
