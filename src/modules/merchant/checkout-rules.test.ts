import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { ownDatabase } from '../../../test/support/own-database.ts';
import {
  type CheckoutState,
  type PaymentProvider,
  PaymentRefused,
  paymentUnavailable,
} from '../../external/payment/port.ts';
import type { Failure } from '../../kernel/failures.ts';
import { idMaker } from '../../kernel/ids.ts';
import { logRedaction } from '../../kernel/text/log-redaction.ts';
import { HOUR_MS, manualClock } from '../../kernel/time/time.ts';
import type { Checkout } from './checkouts.model.ts';
import { checkoutStore } from './checkouts.store.ts';
import { checkoutRules } from './checkouts.ts';
import type { Order } from './contract.ts';
import { webhookRules } from './webhooks.ts';

// What becomes of a checkout when no provider is configured, or one answers as no sandbox does: the rules on a real
// database, without a platform around them.

const { database } = await ownDatabase();
const AT = new Date();
const CLOCK = manualClock(AT.getTime());
const newId = idMaker(CLOCK);
const store = checkoutStore(database);
const LIMITS = { min: 50, max: 90_000 };

type Provider = Pick<PaymentProvider, 'openCheckout' | 'checkout' | 'reversalsOf'>;
const reversalsOf = async () => ({ refundedCents: 0, disputes: [] });
/** Makes the rules around a provider; keeps what is published and alerted. */
function payingBy(provider: Partial<Provider> | undefined) {
  const [events, alerts]: [object[], string[]] = [[], []];
  const rules = checkoutRules({
    provider: provider && ({ limits: LIMITS, reversalsOf, ...provider } as PaymentProvider),
    store,
    database,
    events: { publish: async (_tx: unknown, _kind: unknown, data: object) => events.push(data) } as never,
    clock: CLOCK,
    newId,
    returnUrls: { success: 'https://shop.example/paid', cancel: 'https://shop.example/not-paid' },
    alertOperators: async (_tx, { action }) => alerts.push(action) > 0,
  });
  return { ...rules, events, alerts };
}
type Rules = ReturnType<typeof payingBy>;

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    ({ code, message }: Failure) => code ?? message,
  );
let sessions = 0;
const expiresAt = new Date(AT.getTime() + HOUR_MS);
const opening = async () => ({ sessionId: `session ${++sessions}`, url: 'https://pay.example', expiresAt });
const ORDER: Order = {
  purpose: 'keys',
  userId: newId(),
  description: 'Five Keys',
  cents: 500,
  details: { keys: 5 },
  idempotencyKey: 'k1',
};
const open = ({ open }: Rules, order: Partial<Order> = {}) =>
  open({ ...ORDER, ...order }, async () => undefined);
/** Opens a checkout and returns its session; `given` sets its columns. */
async function opened(given: { status?: string; expiresAt?: Date } = {}): Promise<string> {
  const { sessionId } = await open(payingBy({ openCheckout: opening }));
  await database.execute(
    'update merchant.checkout set status = $2, expires_at = coalesce($3, expires_at) where session_id = $1',
    [sessionId, given.status ?? 'open', given.expiresAt ?? null],
  );
  return sessionId;
}
const find = async (sessionId: string): Promise<Checkout> => {
  const [found] = await store.findByAnyId(sessionId);
  return found ?? assert.fail();
};
const paid = (sessionId: string, fields: Partial<CheckoutState> = {}): CheckoutState => ({
  sessionId,
  status: 'paid',
  cents: 500,
  currency: 'usd',
  paymentId: `pi of ${sessionId}`,
  reference: null,
  ...fields,
});

test('without a provider nothing is opened, asked or received', async () => {
  const rules = payingBy(undefined);
  assert.equal(await outcomeOf(open(rules)), 'PAYMENT_UNAVAILABLE');
  const { id, sessionId } = await find(await opened({ expiresAt: new Date(AT.getTime() - 1) }));
  assert.equal(await outcomeOf(rules.reconcile(id)), 'PAYMENT_UNAVAILABLE');
  await rules.look(await find(sessionId));
  assert.equal((await find(sessionId)).status, 'open');
  const { receive, replay } = webhookRules({ provider: undefined } as never);
  assert.equal(await outcomeOf(receive('{}', '')), 'PAYMENT_UNAVAILABLE');
  await assert.rejects(replay(AT), ({ cause }: Error) => /PAYMENT_PROVIDER/.test(String(cause)));
});

test('the log of an event that could not be applied again names what it is of, and why', async () => {
  const lines: string[] = [];
  const log = pino(logRedaction(true), { write: (line: string) => void lines.push(line) });
  const cause = new PaymentRefused('No such payment_intent');
  const checkout = { sessionId: 'cs_test_a1B2c3D4e5F6g7H8i9J0', status: 'paid' };
  const { replay } = webhookRules({
    provider: { eventsSince: async () => ({ events: [{ kind: 'checkout', checkout }], unreadable: [] }) },
    checkouts: { applyReport: () => Promise.reject(Object.assign(paymentUnavailable(), { cause })) },
    log,
  } as never);
  assert.equal((await replay(AT)).failed, 1);
  const { about, error } = JSON.parse(lines[0] ?? '{}');
  assert.equal(about, `checkout ${checkout.sessionId}`);
  assert.equal(error, 'Payment service unavailable: No such payment_intent');
});

test('a checkout that nobody opened is not found', async () => {
  const rules = payingBy({});
  assert.equal(await outcomeOf(rules.reconcile(newId())), 'NOT_FOUND');
  assert.equal(await outcomeOf(rules.factsOf(newId())), 'NOT_FOUND');
});

test('prices from the lowest to the highest that the provider takes are accepted, in whole cents', async () => {
  const rules = payingBy({ openCheckout: opening });
  for (const [cents, expected] of [
    [49, 'PRICE_OUT_OF_RANGE'],
    [50, 'done'],
    [90_000, 'done'],
    [90_001, 'PRICE_OUT_OF_RANGE'],
    [50.5, 'PRICE_OUT_OF_RANGE'],
    [Number.NaN, 'PRICE_OUT_OF_RANGE'],
  ] as const)
    assert.equal(await outcomeOf(open(rules, { cents })), expected, String(cents));
});

test('an order is opened under a key of its price, and returns to the given addresses or the default ones', async () => {
  const asked: object[] = [];
  const rules = payingBy({
    openCheckout: async (checkout) => {
      asked.push(checkout);
      return opening();
    },
  });
  await open(rules);
  await open(rules, { successUrl: 'https://a.example/', cancelUrl: 'https://b.example/' });
  const order = {
    idempotencyKey: 'checkout-k1-500',
    description: 'Five Keys',
    cents: 500,
    reference: ORDER.userId,
  };
  assert.deepEqual(asked, [
    { ...order, successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/not-paid' },
    { ...order, successUrl: 'https://a.example/', cancelUrl: 'https://b.example/' },
  ]);
});

test('a session that the provider has opened for another order is given to nobody else', async () => {
  const session = await opening();
  const rules = payingBy({ openCheckout: async () => session });
  await open(rules);
  await open(rules);
  assert.equal(await outcomeOf(open(rules, { userId: newId() })), 'PAYMENT_UNAVAILABLE');
  assert.equal(await outcomeOf(open(rules, { cents: 600 })), 'PAYMENT_UNAVAILABLE');
});

test('what the provider refuses is unavailable to the payer, and other failures are passed on', async () => {
  const refusal = new PaymentRefused('No such account');
  const refused = await open(payingBy({ openCheckout: () => Promise.reject(refusal) })).catch(
    (error) => error,
  );
  assert.deepEqual([refused.code, refused.cause], ['PAYMENT_UNAVAILABLE', refusal]);
  const failing = payingBy({ openCheckout: () => Promise.reject(new Error('no answer')) });
  assert.equal(await outcomeOf(open(failing)), 'no answer');
});

test('what a provider reports of a checkout applies to its state as the table says', async () => {
  for (const [status, reported, becomes] of [
    ['open', 'open', 'open'],
    ['open', 'paid', 'paid'],
    ['open', 'expired', 'expired'],
    ['open', 'failed', 'failed'],
    ['expired', 'paid', 'paid'],
    ['failed', 'paid', 'paid'],
    ['expired', 'failed', 'expired'],
    ['failed', 'expired', 'failed'],
    ['paid', 'failed', 'paid'],
    ['paid', 'open', 'paid'],
  ] as const) {
    const rules = payingBy({});
    const sessionId = await opened({ status });
    await rules.applyReport(paid(sessionId, { status: reported }));
    const { status: now, providerStatus } = await find(sessionId);
    assert.deepEqual([now, providerStatus], [becomes, reported], `${status} ${reported}`);
    const isNews = becomes === 'paid' && status !== 'paid';
    assert.equal(rules.events.length, isNews ? 1 : 0, `${status} ${reported}`);
    await rules.applyReport(paid(sessionId, { status: reported }));
    assert.equal(rules.events.length, isNews ? 1 : 0, 'a repetition');
  }
});

test('a payment that differs from the price pays nothing, and alerts operators once', async () => {
  for (const wrong of [{ cents: 499 }, { cents: 501 }, { currency: 'eur' }]) {
    const rules = payingBy({});
    const sessionId = await opened();
    for (let times = 0; times < 2; times++) await rules.applyReport(paid(sessionId, wrong));
    const { status, paymentId } = await find(sessionId);
    assert.deepEqual([status, paymentId], ['failed', `pi of ${sessionId}`]);
    assert.deepEqual([rules.events, rules.alerts], [[], ['payment.amount-mismatch']]);
  }
});

test('a payment without a checkout alerts operators once, and anything else without one is ignored', async () => {
  const rules = payingBy({});
  for (const status of ['open', 'expired', 'failed', 'paid', 'paid'] as const)
    await rules.applyReport(paid('of somebody else', { status }));
  assert.deepEqual([rules.events, rules.alerts], [[], ['payment.unknown-checkout']]);
});

test('an open checkout that the provider does not know expires after its time, and no other does', async () => {
  const rules = payingBy({ checkout: async () => undefined });
  for (const [status, inMs, becomes] of [
    ['open', -1, 'expired'],
    ['open', 0, 'open'],
    ['open', 1, 'open'],
    ['paid', -1, 'paid'],
    ['failed', -1, 'failed'],
  ] as const) {
    const { id, sessionId } = await find(await opened({ status, expiresAt: new Date(AT.getTime() + inMs) }));
    await rules.reconcile(id);
    assert.equal((await find(sessionId)).status, becomes, `${status} ${inMs}`);
  }
  await rules.look({ ...(await find(await opened())), sessionId: 'gone', expiresAt: new Date(0) });
  const asking = payingBy({ checkout: async (sessionId) => paid(sessionId) });
  const { id, sessionId } = await find(await opened({ expiresAt: new Date(AT.getTime() - 1) }));
  await asking.reconcile(id);
  assert.equal((await find(sessionId)).status, 'paid');
});

test('what the provider refuses when a checkout is looked up at once is no fault of ours', async () => {
  const paid = async (sessionId: string) =>
    ({ sessionId, status: 'paid', cents: 500, currency: 'usd', paymentId: 'pi_1', reference: null }) as const;
  const refuse = () => Promise.reject(new PaymentRefused('No such payment_intent'));
  for (const refusing of [{ checkout: refuse }, { checkout: paid, reversalsOf: refuse }]) {
    const rules = payingBy({ openCheckout: opening, ...refusing });
    const { sessionId } = await open(rules, { idempotencyKey: newId() });
    const [facts] = await store.factsOf([sessionId]);
    assert.equal(await outcomeOf(rules.reconcile(facts?.id ?? '')), 'PAYMENT_UNAVAILABLE');
    const [after] = await store.factsOf([sessionId]);
    assert.match(after?.lastError ?? '', /No such payment_intent/, 'administrators see why');
  }
});
