import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import type { CheckoutState, DisputeState } from '../../external/payment/port.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { manualClock } from '../../kernel/time/time.ts';
import { checkoutStore } from './checkouts.store.ts';
import { checkoutRules } from './checkouts.ts';
import type { CheckoutStatus } from './contract.ts';
import { reversalStates } from './reversal-states.ts';
import { reversalRules } from './reversals.ts';

// What refunds and disputes take back, and when the provider is asked: the rules on a real database, without a platform
// around them.

const { database } = await ownDatabase();
const AT = new Date();
const CLOCK = manualClock(AT.getTime());
const newId = idMaker(CLOCK);
const store = checkoutStore(database);

/** What was published of reversals, by kind; what operators were alerted to; payments that the provider was asked about. */
let [reversed, alerts, asked]: [unknown[][], string[], string[]] = [[], [], []];
/** What the provider says of a payment that no checkout is known by. */
let known: CheckoutState | undefined;
beforeEach(() => {
  [reversed, alerts, asked] = [[], [], []];
  known = undefined;
});
const deps = {
  provider: {
    checkoutOfPayment: async (paymentId: string) => {
      asked.push(paymentId);
      return known;
    },
    reversalsOf: async () => ({ refundedCents: 0, disputes: [] }),
  } as never,
  store,
  database,
  events: {
    publish: async (
      _tx: unknown,
      _kind: unknown,
      { reversedCents, changedCents, cause }: Record<string, never>,
    ) => cause && reversed.push([(cause as { kind: string }).kind, reversedCents, changedCents]),
  } as never,
  clock: CLOCK,
  newId,
  alertOperators: async (_tx: unknown, { action }: { action: string }) => alerts.push(action) > 0,
};
const checkouts = checkoutRules({ ...deps, returnUrls: { success: '', cancel: '' } });
const { learnRefund, learnDispute } = reversalRules({ ...deps, checkouts, states: reversalStates(deps) });

/** Stores a checkout of 1,000 cents and returns its id, which its session and payment are named after. */
async function newCheckout(status: CheckoutStatus = 'paid'): Promise<ObjectId> {
  const id = newId();
  const checkout = { id, sessionId: `cs ${id}`, userId: newId(), purpose: 'keys', details: {}, cents: 1_000 };
  await database.transaction((tx) => store.insert(tx, { ...checkout, expiresAt: AT }, AT, AT));
  if (status !== 'open')
    await database.transaction((tx) =>
      store.settle(tx, id, { status, paymentId: `pi ${id}`, reason: null, at: AT }),
    );
  return id;
}
const refund = (id: ObjectId, cents: number) => learnRefund(`pi ${id}`, cents);
const dispute = (id: ObjectId, status: DisputeState['status'], fields: Partial<DisputeState> = {}) =>
  learnDispute({
    disputeId: `dp ${id}`,
    paymentId: `pi ${id}`,
    cents: 400,
    status,
    reason: 'fraud',
    ...fields,
  });

test('refunds take back what is new of them, up to the price, without asking the provider', async () => {
  const id = await newCheckout();
  for (const cents of [300, 300, 200, 301, 5_000, 1_000]) await refund(id, cents);
  assert.deepEqual(reversed, [
    ['refund', 300, 300],
    ['refund', 301, 1],
    ['refund', 1_000, 699],
  ]);
  assert.equal((await store.find(id))?.refundedCents, 1_000);
  assert.deepEqual([alerts, asked], [[], []]);
});

test('a dispute takes its Keys while it is open or lost, and each of its states counts once, in their order', async () => {
  const id = await newCheckout();
  for (const status of [
    'inquiry',
    'inquiry',
    'open',
    'inquiry',
    'open',
    'lost',
    'open',
    'won',
    'lost',
    'won',
  ] as const)
    await dispute(id, status);
  assert.deepEqual(reversed, [
    ['dispute', 400, 400],
    ['dispute-won', 0, -400],
  ]);
  assert.deepEqual(
    alerts,
    ['inquiry', 'opened', 'lost', 'won'].map((what) => `payment.dispute-${what}`),
  );
  assert.deepEqual(asked, []);
});

test('an inquiry that the bank closes is no reversal', async () => {
  const id = await newCheckout();
  for (const status of ['inquiry', 'won'] as const) await dispute(id, status);
  assert.deepEqual([reversed, alerts], [[], ['payment.dispute-inquiry', 'payment.dispute-won']]);
});

test('refunds and disputes together take back at most the price', async () => {
  const id = await newCheckout();
  await refund(id, 700);
  await dispute(id, 'open');
  await dispute(id, 'open', { disputeId: `other ${id}`, cents: 5_000 });
  await dispute(id, 'won');
  assert.deepEqual(reversed, [
    ['refund', 700, 700],
    ['dispute', 1_000, 300],
  ]);
});

test('a dispute is about one payment', async () => {
  const [one, other] = [await newCheckout(), await newCheckout()];
  await dispute(one, 'open');
  await dispute(other, 'lost', { disputeId: `dp ${one}` });
  await dispute(other, 'lost', { disputeId: `dp ${one}` });
  assert.deepEqual(reversed, [['dispute', 400, 400]]);
  assert.deepEqual(alerts, [
    'payment.dispute-opened',
    ...Array(2).fill('payment.dispute-of-another-payment'),
  ]);
});

test('a checkout that was not paid gives nothing back, and operators learn of its reversals', async () => {
  for (const status of ['failed', 'expired'] as const) {
    const id = await newCheckout(status);
    await refund(id, 300);
    await dispute(id, 'open');
  }
  assert.deepEqual([reversed, alerts], [[], Array(4).fill('payment.unknown-reversal')]);
});

test('a dispute of more money takes more, and one of less is a late report', async () => {
  const id = await newCheckout();
  for (const cents of [300, 800, 500]) await dispute(id, 'open', { cents });
  assert.deepEqual(reversed, [
    ['dispute', 300, 300],
    ['dispute', 800, 500],
  ]);
});

test('the provider is asked about a payment that is not recorded yet, whose checkout is paid then', async () => {
  const id = await newCheckout('open');
  const paid = { sessionId: `cs ${id}`, status: 'paid' as const, cents: 1_000, currency: 'usd' };
  known = { ...paid, paymentId: `pi ${id}`, reference: null };
  await refund(id, 300);
  assert.deepEqual([reversed, asked], [[['refund', 300, 300]], [`pi ${id}`]]);
  assert.equal((await store.find(id))?.status, 'paid');
});

test('each reversal of a payment that nobody knows alerts operators once', async () => {
  await refund('nobody', 300);
  await refund('nobody', 300);
  await dispute('nobody', 'open');
  await dispute('nobody', 'open');
  await dispute('nobody', 'lost');
  assert.deepEqual([reversed, alerts], [[], Array(3).fill('payment.unknown-reversal')]);
});
