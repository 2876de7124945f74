import { Type } from 'typebox';
import { facts, figures, type Measures } from '../analytics/contract.ts';
import { checkoutPaid, checkoutReversed } from './contract.ts';

const type = 'conversion';

/** Revenue: payments at checkouts, less refunds and disputes. */
export const merchantMeasures: Measures = {
  facts: [
    facts(checkoutPaid, ({ userId, checkoutId, cents }) => [
      { userId, name: 'payment.completed', type, cents, metadata: { checkoutId } },
    ]),
    facts(checkoutReversed, ({ userId, checkoutId, changedCents = 0 }) => [
      { userId, name: 'payment.reversed', type, cents: -changedCents, metadata: { checkoutId } },
    ]),
  ],
  tracked: { names: ['payment.initiated', 'payment.completed'], types: [type] },
  ofPlatform: [
    figures(
      'overview',
      {
        totalRevenue: Type.Number({
          description: 'US dollars paid at checkouts, less refunds',
          examples: [1250.5],
        }),
      },
      ({ facts }) => ({ totalRevenue: facts.cents('payment.completed', 'payment.reversed') / 100 }),
    ),
  ],
};
