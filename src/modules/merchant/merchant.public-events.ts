import { Type } from 'typebox';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { checkoutPaid, checkoutReversed, payoutReturned, payoutSettled } from './contract.ts';

const checkout = {
  checkoutId: ObjectIdShape,
  checkoutSessionId: Type.String({
    description: "The payment provider's identifier",
    examples: ['cs_test_a1B2'],
  }),
  purpose: Type.String({ description: 'What was bought', examples: ['keys'] }),
  userId: ObjectIdShape,
  usd: Type.Number({ description: 'The price in US dollars', examples: [25] }),
};

interface Checkout {
  checkoutId: string;
  sessionId: string;
  purpose: string;
  userId: string;
  cents: number;
}
const dollars = (cents: number): number => cents / 100;
const checkoutOf = ({ checkoutId, sessionId, purpose, userId, cents }: Checkout) => ({
  checkoutId,
  checkoutSessionId: sessionId,
  purpose,
  userId,
  usd: dollars(cents),
});

export const merchantPublicEvents: PublicEvent[] = [
  publicEvent('checkout.paid', {
    about: 'A checkout was paid',
    data: Type.Object(checkout),
    from: [fromEvent(checkoutPaid, checkoutOf)],
  }),
  publicEvent('checkout.reversed', {
    about: 'What was paid at a checkout was refunded or disputed, or a dispute about it was won',
    data: Type.Object({
      ...checkout,
      reversedUsd: Type.Number({ description: 'How much of the price is reversed now, in US dollars' }),
      cause: oneOf(['refund', 'dispute', 'dispute-won'], { description: 'What changed it' }),
    }),
    from: [
      fromEvent(checkoutReversed, (data) => ({
        ...checkoutOf(data),
        reversedUsd: dollars(data.reversedCents),
        cause: data.cause.kind,
      })),
    ],
  }),
];

export const merchantInternalEvents: InternalEvent[] = internalEvents(
  'A step of a withdrawal, whose events `withdrawal.*` are public',
  payoutSettled,
  payoutReturned,
);
