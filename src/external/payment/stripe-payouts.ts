import type Stripe from 'stripe';
import { type Clock, DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { CURRENCY, type PaymentProvider, PaymentRefused, type PayoutState } from './port.ts';
import { stateOfPayout } from './stripe-events.ts';
import { asOrdered, isKeyReused, PAGE, withId } from './stripe-objects.ts';

/** Stripe documents no limit for payouts. This one is ours: a larger amount indicates a wrong rate or amount. */
const MAX_PAYOUT_CENTS = 999_999_999_999;
/** The most payouts that are looked through for one of ours. */
const MAX_LISTED = 10_000;
/** What was made under a key that Stripe still keeps, which it does for a day at least, was made within this time. */
const KEPT_KEYS_MS = 2 * DAY_MS;

interface PayoutDeps {
  /** Translates the library's errors into those of the port. */
  callStripe: <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>;
  /** Returns undefined for what does not exist. */
  find: <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T | undefined>;
  clock: Clock;
}

type Payouts = Pick<
  PaymentProvider,
  'maxPayoutCents' | 'createPayout' | 'payout' | 'payoutOf' | 'cancelPayout'
>;

/** Returns the payouts of the payment provider. */
export function stripePayouts({ callStripe, find, clock }: PayoutDeps): Payouts {
  return {
    maxPayoutCents: MAX_PAYOUT_CENTS,

    async createPayout({ idempotencyKey, cents, reference }) {
      const payout = { amount: cents, currency: CURRENCY, metadata: { reference } };
      const create = async (stripe: Stripe) => {
        const made = await stripe.payouts.create(payout, { idempotencyKey });
        const { reference: named } = made.metadata ?? {};
        asOrdered(
          { object: 'payout', amount: cents, currency: CURRENCY, named: reference },
          { ...made, named },
        );
        return stateOfPayout(made);
      };
      try {
        return await callStripe(create);
      } catch (error) {
        if (!isKeyReused((error as Error).cause)) throw error;
        const since = new Date(clock.now() - KEPT_KEYS_MS);
        const { found } = await callStripe((stripe) => payoutOf(stripe, reference, since));
        // The key was used with other details, so what was made may not be what was ordered. That is no outage.
        if (!found || !isOrdered(payout, found.made)) throw error;
        return found.state;
      }
    },

    async payout(payoutId) {
      return find(async (stripe) => stateOfPayout(withId(payoutId, await stripe.payouts.retrieve(payoutId))));
    },

    async payoutOf(reference, since) {
      const { found, isWhole } = await callStripe((stripe) => payoutOf(stripe, reference, since));
      // Outside of the call, since it is no outage.
      if (!found && !isWhole)
        throw new PaymentRefused(`there are over ${MAX_LISTED} payouts to look through`);
      return found?.state;
    },

    async cancelPayout(payoutId) {
      try {
        return await callStripe(async (stripe) =>
          stateOfPayout(withId(payoutId, await stripe.payouts.cancel(payoutId))),
        );
      } catch (error) {
        if (!(error instanceof PaymentRefused)) throw error;
        return find(async (stripe) =>
          stateOfPayout(withId(payoutId, await stripe.payouts.retrieve(payoutId))),
        );
      }
    },
  };
}

/** Which of several payouts with one reference counts: one that was made twice may have been paid once. */
const PRECEDENCE: PayoutState['status'][] = ['paid', 'pending', 'failed', 'cancelled'];

interface FoundPayout {
  made: Stripe.Payout;
  state: PayoutState;
}

async function payoutOf(
  stripe: Stripe,
  reference: string,
  since: Date,
): Promise<{ found: FoundPayout | undefined; isWhole: boolean }> {
  const found: FoundPayout[] = [];
  let count = 0;
  const made = { created: { gte: Math.floor(since.getTime() / SECOND_MS) }, limit: PAGE };
  for await (const payout of stripe.payouts.list(made)) {
    if (payout.metadata?.reference === reference) found.push({ made: payout, state: stateOfPayout(payout) });
    if (++count === MAX_LISTED) break;
  }
  const [first] = found.sort(
    (a, b) => PRECEDENCE.indexOf(a.state.status) - PRECEDENCE.indexOf(b.state.status),
  );
  return { found: first, isWhole: count < MAX_LISTED };
}

/** Whether a payout that was found by its reference has the amount and currency that were ordered. */
const isOrdered = (
  ordered: Pick<Stripe.Payout, 'amount' | 'currency'>,
  made: Pick<Stripe.Payout, 'amount' | 'currency'>,
): boolean => made.amount === ordered.amount && made.currency === ordered.currency;
