import assert from 'node:assert/strict';
import { test } from 'node:test';
import Stripe from 'stripe';
import { getBalance, listAlerts, listTransactions, reconcileCheckout } from '../../../sdk/src/index.ts';
import { ledgerFaults } from '../../../test/support/ledger-faults.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, PAYMENT_WEBHOOK_SECRET, startPlatform } from '../../../test/support/platform.ts';
import { providerSession } from '../../../test/support/provider-sessions.ts';

// Payments whose webhooks are lost, and that were refunded or disputed by the time the provider is asked about them.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
// Nothing that the provider sends arrives, unless a test has it delivered.
await platform.standIn('payments', { webhooks: false, webhookPause: 600_000 });
const control = (path: string, body: object) =>
  fetch(`${platform.sandboxUrl}/control/payments/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const historyOf = async ({ client }: Member) =>
  (await client.call(listTransactions)).data.map(({ type, amount }) => `${type} ${amount}`).toSorted();

/** Sends the platform the webhook of a payment; returns the status. */
async function reportPayment(sessionId: string, other: object = {}): Promise<number> {
  const object = { ...(await providerSession(platform, sessionId)), ...other };
  return sendEvent({ type: 'checkout.session.completed', data: { object } });
}

async function sendEvent(event: object): Promise<number> {
  const payload = JSON.stringify(event);
  const signature = new Stripe('sk').webhooks.generateTestHeaderString({
    payload,
    secret: PAYMENT_WEBHOOK_SECRET,
  });
  const { status } = await platform.client
    .with({ 'x-api-key': undefined, 'stripe-signature': signature })
    .sendText('POST', '/v1/webhooks/payments', payload);
  return status;
}

/** A checkout of ten Keys that is paid without the platform's knowledge. */
async function paid() {
  const ada = await platform.newMemberWith(0);
  const { id, link } = await platform.checkout(ada, 10);
  await platform.pay(link);
  assert.equal(await balanceOf(ada), 0);
  const found = await database.first<{ id: string }>(
    'select id from merchant.checkout where session_id = $1',
    [id],
  );
  const params = { id: found?.id ?? assert.fail() };
  const refund = (cents: number) => control(`${id}/refund`, { cents });
  const dispute = (event: string, status: string, amount = 1_000) =>
    control(`${id}/dispute`, { event, id: `dp_${id}`, status, amount });
  const look = () => admin.call(reconcileCheckout, { params });
  const setWebhooks = (webhooks: boolean) => platform.standIn('payments', { webhooks });
  /** Has what the provider sends meanwhile delivered. */
  const reported = async (work: () => Promise<unknown>) => {
    await setWebhooks(true);
    await work();
    await setWebhooks(false);
  };
  /** The platform takes it for ended, as when the provider's answers overtake each other. */
  const end = (status: string) =>
    database.execute('update merchant.checkout set status = $2, next_check_at = null where session_id = $1', [
      id,
      status,
    ]);
  const report = (other?: object) => reportPayment(id, other);
  return { ada, id, refund, dispute, look, reported, end, report };
}

test('a payment that was refunded meanwhile leaves no Keys, or those that were not refunded', async () => {
  for (const [cents, left, history] of [
    [1_000, 0, ['fund 10', 'refund 10']],
    [400, 6, ['fund 10', 'refund 4']],
    [0, 10, ['fund 10']],
  ] as const) {
    const { ada, refund, look } = await paid();
    if (cents > 0) await refund(cents);
    await look();
    await look();
    assert.deepEqual([await balanceOf(ada), await historyOf(ada)], [left, history], `${cents}`);
  }
});

test('a payment that was disputed meanwhile leaves no Keys while the money is away', async () => {
  for (const [event, status, left] of [
    ['created', 'needs_response', 0],
    ['closed', 'lost', 0],
    ['closed', 'won', 10],
    ['created', 'warning_needs_response', 10],
  ] as const) {
    const { ada, dispute, look } = await paid();
    await dispute(event, status);
    await look();
    assert.equal(await balanceOf(ada), left, status);
  }
});

test('refunds and disputes together take the Keys once', async () => {
  const { ada, refund, dispute, look } = await paid();
  await refund(300);
  await dispute('created', 'needs_response', 500);
  await look();
  assert.equal(await balanceOf(ada), 2);
  await dispute('closed', 'won', 500);
  await look();
  assert.equal(await balanceOf(ada), 7);
});

test('a refund that is reported before or after the provider is asked counts once', async () => {
  const before = await paid();
  await before.reported(() => before.refund(400));
  assert.equal(await balanceOf(before.ada), 6, 'its report told of the payment');
  await before.look();
  assert.equal(await balanceOf(before.ada), 6);

  const after = await paid();
  await after.look();
  assert.equal(await balanceOf(after.ada), 10);
  await after.reported(() => after.refund(400));
  await after.look();
  assert.equal(await balanceOf(after.ada), 6);

  const both = await paid();
  await both.refund(400);
  await both.look();
  await both.reported(() => both.refund(300));
  assert.equal(await balanceOf(both.ada), 3);
});

test('a refund of a payment that was credited is found by asking, too', async () => {
  const { ada, refund, look } = await paid();
  await look();
  await refund(1_000);
  await look();
  assert.equal(await balanceOf(ada), 0);
});

test('Keys are not credited while the provider cannot say what was refunded', async () => {
  const { ada, refund, look } = await paid();
  await refund(1_000);
  await platform.standIn('payments', { withoutReversals: true });
  await assert.rejects(look());
  assert.equal(await balanceOf(ada), 0);
  await platform.standIn('payments', { withoutReversals: false });
  await look();
  assert.deepEqual([await balanceOf(ada), await historyOf(ada)], [0, ['fund 10', 'refund 10']]);
});

test('a payment that is reported after its checkout had ended brings what was not refunded or disputed meanwhile', async () => {
  for (const status of ['expired', 'failed']) {
    const { ada, refund, dispute, end, report } = await paid();
    await end(status);
    await refund(300);
    await dispute('created', 'needs_response', 500);
    assert.equal(await report(), 200);
    assert.equal(await report(), 200);
    assert.equal(await balanceOf(ada), 2, status);
  }
});

test('a late payment is not credited while the provider cannot say what was refunded, and is taken when it is sent again', async () => {
  const { ada, refund, end, report } = await paid();
  await end('expired');
  await refund(1_000);
  await platform.standIn('payments', { withoutReversals: true });
  assert.equal(await report(), 503);
  assert.equal(await balanceOf(ada), 0);
  await platform.standIn('payments', { withoutReversals: false });
  assert.equal(await report(), 200);
  assert.deepEqual([await balanceOf(ada), await historyOf(ada)], [0, ['fund 10', 'refund 10']]);
});

test('a refund that tells of a payment brings the disputes of it, too', async () => {
  const { ada, refund, dispute, reported } = await paid();
  await dispute('created', 'needs_response', 500);
  await reported(() => refund(300));
  assert.equal(await balanceOf(ada), 2);
});

const openAlerts = async ({ id }: Member) =>
  (await admin.call(listAlerts, { query: { status: 'open', target: id } })).data.map(({ action }) => action);
/** Lets what is due be looked at until the condition holds. */
const reconcileUntil = (holds: () => Promise<boolean>, what: string) =>
  until(async () => {
    await database.execute(
      'update merchant.checkout set next_check_at = created_at where next_check_at is not null',
    );
    await platform.platform.runJob('merchant.reconcile');
    return holds();
  }, what);

test('a late payment whose reversals cannot be read is an open alert, and is credited once without being sent again', async () => {
  for (const status of ['expired', 'failed']) {
    const { ada, id, refund, end, report } = await paid();
    await end(status);
    await refund(400);
    await platform.standIn('payments', { withoutReversals: 'unreadable' });
    assert.equal(await report(), 503);
    const noted = await database.first(
      'select status, provider_status, attempts from merchant.checkout where session_id = $1',
      [id],
    );
    assert.deepEqual(noted, { status, providerStatus: 'paid', attempts: 1 });
    await reconcileUntil(async () => (await openAlerts(ada)).length > 0, 'the alert');
    assert.deepEqual(await openAlerts(ada), ['payment.checkout-stuck']);
    assert.equal(await balanceOf(ada), 0);
    await platform.standIn('payments', { withoutReversals: false });
    await reconcileUntil(async () => (await balanceOf(ada)) === 6, 'the Keys');
    await until(async () => (await openAlerts(ada)).length === 0, 'the alert to close');
    assert.equal(await report(), 200);
    assert.deepEqual([await balanceOf(ada), await historyOf(ada)], [6, ['fund 10', 'refund 4']]);
    const due = 'select count(*) from merchant.checkout where session_id = $1 and next_check_at is not null';
    assert.equal(await database.count(due, [id]), 0);
  }
});

test('a late payment of which the provider no longer tells is not asked about for ever; of an unknown one operators are told', async () => {
  await platform.standIn('payments', { withoutReversals: true });
  for (const isKnown of [true, false]) {
    const ada = await platform.newMemberWith(0);
    const { id } = await platform.checkout(ada, 10);
    const session = isKnown ? id : `${id}-gone`;
    await database.execute(
      "update merchant.checkout set status = 'expired', next_check_at = null, session_id = $2 where session_id = $1",
      [id, session],
    );
    const payment = { status: 'complete', payment_status: 'paid', amount_total: 1_000, currency: 'usd' };
    const completed = { ...payment, id: session, payment_intent: `pi_of_${session}` };
    assert.equal(await sendEvent({ type: 'checkout.session.completed', data: { object: completed } }), 503);
    const isDue = async () =>
      (await database.count(
        'select count(*) from merchant.checkout where session_id = $1 and next_check_at is not null',
        [session],
      )) === 1;
    assert.ok(await isDue());
    if (isKnown) await reconcileUntil(async () => !(await isDue()), 'the end of it');
    else await reconcileUntil(async () => (await openAlerts(ada)).length > 0, 'the alert');
    assert.deepEqual(await openAlerts(ada), isKnown ? [] : ['payment.checkout-stuck']);
    assert.equal(await balanceOf(ada), 0);
  }
});

test('what brings no Keys is told at once, whether or not its reversals can be read', async () => {
  await platform.standIn('payments', { withoutReversals: true });
  for (const status of ['open', 'expired']) {
    const late = await paid();
    await late.end(status);
    assert.equal(await late.report({ amount_total: 900 }), 200);
    assert.deepEqual(await openAlerts(late.ada), ['payment.amount-mismatch'], status);
  }
  const { id, end } = await paid();
  await end('expired');
  await database.execute(
    "update merchant.checkout set session_id = session_id || '-gone' where session_id = $1",
    [id],
  );
  const { payment_intent: payment } = await providerSession(platform, id);
  const charge = { payment_intent: payment, amount_refunded: 100 };
  assert.equal(await sendEvent({ type: 'charge.refunded', data: { object: charge } }), 200);
  const { data } = await admin.call(listAlerts, { query: { status: 'open', target: payment ?? '' } });
  assert.deepEqual(
    data.map(({ action }) => action),
    ['payment.unknown-reversal'],
  );
});

test('a refund that tells of a late payment leaves the same trace while its reversals cannot be read', async () => {
  const { ada, id, refund, end } = await paid();
  await end('expired');
  await refund(400);
  await platform.standIn('payments', { withoutReversals: true });
  const { payment_intent: payment } = await providerSession(platform, id);
  const charge = { payment_intent: payment, amount_refunded: 400 };
  const report = () => sendEvent({ type: 'charge.refunded', data: { object: charge } });
  assert.equal(await report(), 503);
  assert.equal(await database.count('select attempts from merchant.checkout where session_id = $1', [id]), 1);
  await platform.standIn('payments', { withoutReversals: false });
  await reconcileUntil(async () => (await balanceOf(ada)) === 6, 'the Keys');
  assert.equal(await report(), 200);
  assert.deepEqual(await historyOf(ada), ['fund 10', 'refund 4']);
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
