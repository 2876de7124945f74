import assert from 'node:assert/strict';
import { test } from 'node:test';
import Stripe from 'stripe';
import {
  buyKeys,
  changeWallet,
  getBalance,
  getTransactionStatistics,
  listTransactions,
  setExchangeRate,
  transferKeys,
} from '../../../../sdk/src/index.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { PAYMENT_WEBHOOK_SECRET, startPlatform } from '../../../../test/support/platform.ts';
import { providerSession } from '../../../../test/support/provider-sessions.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { invalidSignature } from '../../../external/payment/port.ts';
import { authenticationRequired } from '../../../kernel/operations/access.ts';
import { amountTooSmall } from '../contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client, database, pay } = platform;
await platform.standIn('payments', { webhookPause: 50 });
const balanceOf = async (member: { client: typeof client }) =>
  (await member.client.call(getBalance)).data?.balance;
const rowsOf = async (table: string): Promise<number> =>
  (await database.all(`select count(*) from ${table}`))[0]?.count as number;
const control = (path: string, body: object = {}) =>
  fetch(`${platform.sandboxUrl}/control/payments/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends a webhook as the provider would, signed over this very body. */
async function webhook(type: string, object: object, secret = PAYMENT_WEBHOOK_SECRET) {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  const signature = new Stripe('sk').webhooks.generateTestHeaderString({ payload, secret });
  return client
    .with({ 'x-api-key': undefined, 'stripe-signature': signature })
    .sendText('POST', '/v1/webhooks/payments', payload);
}
const session = (id: string, more: object = {}) => ({
  id,
  object: 'checkout.session',
  status: 'complete',
  payment_status: 'paid',
  payment_intent: `pi_${id}`,
  amount_total: 1000,
  currency: 'usd',
  ...more,
});

test('a checkout has a link and a price, and brings the Keys once it is paid', async () => {
  const ada = await platform.newMember();
  const { status, data, body } = await ada.client.call(buyKeys, {
    body: {
      amount: 25,
      successUrl: 'https://app.example.com/paid?session={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://app.example.com/back',
      metadata: { campaign: 'spring' },
    },
  });
  assert.deepEqual([status, body.message], [201, 'Checkout session created successfully']);
  const { checkoutSessionId, paymentLink, expiresAt, ...rest } = data;
  assert.deepEqual(rest, { keysAmount: 25, usdAmount: 25, currency: 'USD' });
  const lastsHours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
  assert.ok(lastsHours > 23.9 && lastsHours < 24.1, expiresAt);
  assert.equal(await balanceOf(ada), 0, 'no Keys before it is paid');
  assert.equal(await pay(paymentLink), `https://app.example.com/paid?session=${checkoutSessionId}`);
  assert.equal(await balanceOf(ada), 25, 'there when the payer returns');
  const [transaction] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual(
    [transaction?.type, transaction?.status, transaction?.fromUserId, transaction?.toUserId],
    ['fund', 'completed', null, ada.id],
  );
  assert.deepEqual(transaction?.metadata, { campaign: 'spring', checkoutSessionId, usdAmount: 25 });
  assert.equal(await pay(paymentLink), `https://app.example.com/paid?session=${checkoutSessionId}`);
  assert.equal(await balanceOf(ada), 25, 'paying again is not possible');
});

test('declined and cancelled checkouts bring no Keys, and a cancelled one stays open', async () => {
  const ada = await platform.newMember();
  const declined = await platform.checkout(ada, 10);
  assert.equal(await pay(declined.link, 'decline'), `${platform.sandboxUrl}/not-paid`);
  assert.equal(await pay(declined.link, 'pay'), `${platform.sandboxUrl}/not-paid`);
  const cancelled = await platform.checkout(ada, 10);
  assert.equal(await pay(cancelled.link, 'cancel'), `${platform.sandboxUrl}/not-paid`);
  assert.equal(await balanceOf(ada), 0);
  assert.equal(await pay(cancelled.link, 'pay'), `${platform.sandboxUrl}/paid`);
  assert.equal(await balanceOf(ada), 10);
  const rows = await database.all(
    'select status from merchant.checkout where session_id = any($1) order by id',
    [[declined.id, cancelled.id]],
  );
  assert.deepEqual(rows, [{ status: 'failed' }, { status: 'paid' }]);
});

test('the price of a checkout is fixed at its creation', async () => {
  const ada = await platform.newMember();
  await admin.call(setExchangeRate, { body: { rate: 0.105 } });
  const { link, usd } = await platform.checkout(ada, 101);
  assert.equal(usd, 10.61, '10.605, rounded up');
  await admin.call(setExchangeRate, { body: { rate: 1 } });
  assert.match(await (await fetch(link)).text(), /101 Keys[\s\S]*\$10\.61/);
  await pay(link);
  assert.equal(await balanceOf(ada), 101);
});

test('repeated, concurrent and late webhooks add the Keys once', async () => {
  const ada = await platform.newMember();
  await platform.standIn('payments', { webhooks: false });
  const { id } = await platform.checkout(ada, 10);
  await platform.standIn('payments', { webhooks: true });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, place) =>
      webhook(
        place % 3 === 0 ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed',
        session(id),
      ),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  await webhook('checkout.session.expired', session(id, { status: 'expired', payment_status: 'unpaid' }));
  await webhook('checkout.session.async_payment_failed', session(id, { payment_status: 'unpaid' }));
  assert.equal(await balanceOf(ada), 10);
});

test('a payment reported after a failure or an expiry still counts', async () => {
  for (const [type, more] of [
    ['checkout.session.expired', { status: 'expired', payment_status: 'unpaid' }],
    ['checkout.session.async_payment_failed', { payment_status: 'unpaid' }],
  ] as const) {
    const ada = await platform.newMember();
    const { id, link } = await platform.checkout(ada, 10);
    await platform.standIn('payments', { webhooks: false });
    await webhook(type, session(id, more));
    await platform.pay(link);
    await webhook('checkout.session.completed', await providerSession(platform, id));
    assert.equal(await balanceOf(ada), 10, type);
  }
});

test('forged, altered and old webhooks are 401 without effect', async () => {
  const ada = await platform.newMember();
  const { id } = await platform.checkout(ada, 10);
  const forged = await webhook('checkout.session.completed', session(id), 'whsec_of_somebody_else');
  assertRefused(forged, invalidSignature);
  const payload = JSON.stringify({ type: 'checkout.session.completed', data: { object: session(id) } });
  const send = (signature: string | undefined, body: string) =>
    client.with({ 'stripe-signature': signature }).sendText('POST', '/v1/webhooks/payments', body);
  const sign = (timestamp?: number) =>
    new Stripe('sk').webhooks.generateTestHeaderString({
      payload,
      secret: PAYMENT_WEBHOOK_SECRET,
      ...(timestamp ? { timestamp } : {}),
    });
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  for (const { status } of [
    await send(sign(), payload.replace('1000', '1')),
    await send(sign(hourAgo), payload),
    await send('nonsense', payload),
    await send(undefined, payload),
  ])
    assert.equal(status, 401);
  assert.equal(await balanceOf(ada), 0);
});

test('signed webhooks with another amount, currency, session or kind have no effect', async () => {
  const ada = await platform.newMember();
  for (const more of [{ amount_total: 1 }, { currency: 'eur' }]) {
    const { id } = await platform.checkout(ada, 10);
    assert.equal((await webhook('checkout.session.completed', session(id, more))).status, 200);
  }
  assert.equal((await webhook('checkout.session.completed', session('cs_unknown'))).status, 200);
  assert.equal((await webhook('customer.created', { id: 'cus_1' })).status, 200);
  assert.equal(
    (await webhook('charge.refunded', { payment_intent: 'pi_unknown', amount_refunded: 5 })).status,
    200,
  );
  assert.equal(await balanceOf(ada), 0);
});

test('paid Keys reach a locked or inactive wallet, which cannot buy more', async () => {
  const ada = await platform.newMember();
  const { link } = await platform.checkout(ada, 10);
  for (const flags of [{ locked: true }, { locked: false, isActive: false }]) {
    await admin.call(changeWallet, { params: { userId: ada.id }, body: flags });
    const { status } = await ada.client.attempt(buyKeys, { body: { amount: 5 } });
    assert.equal(status, 403);
  }
  await pay(link);
  assert.equal(await balanceOf(ada), 10);
});

test('a refund takes back a proportional part of the Keys, as far as the balance allows', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const { id, link } = await platform.checkout(ada, 10);
  await pay(link);
  await control(`${id}/refund`, { cents: 255 });
  assert.equal(await balanceOf(ada), 8, 'a quarter, rounded down');
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 5 } });
  await control(`${id}/refund`, { cents: 745 });
  assert.equal(await balanceOf(ada), 0, 'three are left of the eight that are due');
  const { data } = await ada.client.call(listTransactions, { query: { type: 'refund' } });
  assert.deepEqual(
    data.map(({ amount, metadata }: { amount: number; metadata: { short?: number } }) => [
      amount,
      metadata.short,
    ]),
    [
      [3, 5],
      [2, undefined],
    ],
  );
  assert.equal((await ada.client.call(getTransactionStatistics)).data.byType.refund?.amount, -5);
});

test('a refund reported before its payment is not lost', async () => {
  const ada = await platform.newMember();
  await platform.standIn('payments', { webhooks: false, webhookPause: 60_000 });
  const { id, link } = await platform.checkout(ada, 10);
  await pay(link);
  const rows = await database.all('select status from merchant.checkout where session_id = $1', [id]);
  assert.equal(rows[0]?.status, 'open');
  await platform.standIn('payments', { webhooks: true, webhookPause: 50 });
  await control(`${id}/refund`, { cents: 400 });
  assert.equal(await balanceOf(ada), 6);
});

test('reconciliation finds a paid checkout whose webhook was lost', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await platform.standIn('payments', { webhooks: false, webhookPause: 60_000 });
  const [paid, left] = [await platform.checkout(ada, 10), await platform.checkout(ben, 10)];
  await pay(paid.link);
  await control(`${left.id}/expire`);
  await platform.platform.runJob('merchant.reconcile');
  assert.equal(await balanceOf(ada), 0, 'a minute is given to the webhook');
  platform.clock.advance(61_000);
  await platform.standIn('payments', { mode: 'fail' });
  await platform.platform.runJob('merchant.reconcile');
  await platform.standIn('payments', { mode: 'ok' });
  platform.clock.advance(120_000);
  await platform.platform.runJob('merchant.reconcile');
  assert.deepEqual([await balanceOf(ada), await balanceOf(ben)], [10, 0]);
  const rows = await database.all('select status from merchant.checkout where session_id = $1', [left.id]);
  assert.equal(rows[0]?.status, 'expired');
});

test('while the provider is unavailable checkouts are 503 and leave nothing behind', async () => {
  const ada = await platform.newMemberWith(1);
  const before = await rowsOf('merchant.checkout');
  for (const mode of ['fail', 'nonsense', 'hang']) {
    await platform.standIn('payments', { mode });
    const { status, body, headers } = await ada.client.attempt(buyKeys, { body: { amount: 5 } });
    assert.deepEqual([status, body.message], [503, 'Payment service unavailable'], mode);
    assert.ok(headers.get('retry-after'));
  }
  await platform.standIn('payments', { mode: 'ok' });
  platform.clock.advance(11_000);
  assert.equal(await rowsOf('merchant.checkout'), before);
  assert.equal((await ada.client.call(buyKeys, { body: { amount: 5 } })).status, 201);
});

test('invalid purchases are refused', async () => {
  const ada = await platform.newMember();
  const fund = (body: object) => ada.client.raw('POST', '/v1/wallets/fund', body);
  for (const amount of [0, -5, 2.5, '10', null, undefined, 2 ** 53]) {
    const { status, body } = await fund({ amount });
    assert.deepEqual([status, body.message], [400, 'Amount must be a positive whole number'], String(amount));
  }
  for (const url of [
    '/paid',
    'javascript:alert(1)',
    'ftp://example.com',
    'https://user:pw@example.com',
    'x'.repeat(3000),
  ]) {
    const { status, body } = await fund({ amount: 5, successUrl: url, cancelUrl: url });
    assert.deepEqual([status, body.errors?.map(({ field }) => field)], [422, ['successUrl', 'cancelUrl']]);
  }
  assertInvalid(await fund({ amount: 5, metadata: { big: 'x'.repeat(17_000) } }));
  assert.deepEqual((await fund({ amount: 1_000_000 })).body.error, 'PRICE_OUT_OF_RANGE');
  assertRefused(await client.attempt(buyKeys, { body: { amount: 5 } }), authenticationRequired);
  await admin.call(setExchangeRate, { body: { rate: 0.001 } });
  assertRefused(await fund({ amount: 4 }), amountTooSmall);
  await admin.call(setExchangeRate, { body: { rate: 1 } });
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
