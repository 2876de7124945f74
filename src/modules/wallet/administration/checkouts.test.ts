import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getBalance,
  getCheckout,
  listAudit,
  listCheckouts,
  reconcileCheckout,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { invalidId } from '../../../kernel/failures.ts';
import { checkoutNotFound } from '../../merchant/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const reason = 'The member has paid';

type Query = NonNullable<TypesOf<typeof listCheckouts>['query']>;
const list = async (query: Query) => (await admin.call(listCheckouts, { query })).data;
const reconcile = (id: string) => admin.attempt(reconcileCheckout, { params: { id }, body: { reason } });
const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const checkoutOf = async (member: Member) => (await list({ userId: member.id }))[0] ?? assert.fail();

/** Opens a checkout and pays it while webhooks are lost. */
async function paidInSilence(): Promise<Member> {
  await platform.standIn('payments', { webhooks: false, webhookPause: 600_000 });
  const member = await platform.newMember();
  await platform.pay((await platform.checkout(member, 10)).link);
  return member;
}

test('a checkout whose webhook was lost is settled, once, and the log says why', async () => {
  const ada = await paidInSilence();
  const open = await checkoutOf(ada);
  assert.deepEqual(
    [open.status, open.transactionId, open.providerStatus, open.keys, open.usd, open.purpose],
    ['open', null, null, 10, 10, 'keys'],
  );
  assert.deepEqual([open.owner?.id, open.owner?.email], [ada.id, ada.email]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => reconcile(open.id)));
  assert.deepEqual(
    new Set(answers.map(({ status, data }) => `${status} ${data?.status}`)),
    new Set(['200 paid']),
  );
  const { data } = await reconcile(open.id);
  assert.deepEqual([data?.status, data?.providerStatus], ['paid', 'paid']);
  assert.match(data?.transactionId ?? '', /^txn_/);
  assert.ok(data?.paymentId && data.settledAt);
  assert.equal(await balanceOf(ada), 10);
  assert.deepEqual((await admin.call(getCheckout, { params: { id: open.id } })).data, data);
  const entries = (await admin.call(listAudit, { query: { action: 'checkout.reconciled', target: ada.id } }))
    .data;
  assert.deepEqual(
    [entries.length, entries.at(-1)?.reason, entries.at(-1)?.changes],
    [5, reason, { status: ['open', 'paid'] }],
  );
  assert.deepEqual(await ledgerFaults(database), []);
});

test('an open checkout stays open, and shows the state at the provider', async () => {
  const ada = await platform.newMember();
  await platform.checkout(ada, 5);
  const { data } = await reconcile((await checkoutOf(ada)).id);
  assert.deepEqual([data?.status, data?.providerStatus, data?.transactionId], ['open', 'open', null]);
  assert.equal(await balanceOf(ada), 0);
});

test('a checkout whose payment failed stays failed, also at the provider, when it is asked again', async () => {
  const ada = await platform.newMember();
  await platform.pay((await platform.checkout(ada, 5)).link, 'decline');
  await until(async () => (await checkoutOf(ada)).status === 'failed', 'the failure is reported');
  const failed = await checkoutOf(ada);
  assert.equal(failed.providerStatus, 'failed');
  assert.deepEqual((await reconcile(failed.id)).data, failed);
  assert.equal(await balanceOf(ada), 0);
});

test('without the provider nothing changes, and the checkout says why', async () => {
  const ada = await paidInSilence();
  const { id } = await checkoutOf(ada);
  await platform.standIn('payments', { mode: 'fail' });
  assertRefused(await reconcile(id), paymentUnavailable);
  const failed = await checkoutOf(ada);
  assert.deepEqual([failed.status, failed.attempts], ['open', 1]);
  assert.match(failed.lastError ?? '', /unavailable/);
  await platform.standIn('payments', { mode: 'ok' });
  platform.clock.advance(120_000); // the circuit closes
  const { data } = await reconcile(id);
  assert.deepEqual([data?.status, data?.attempts, data?.lastError], ['paid', 0, null]);
});

test('a checkout that the provider does not know expires after its time, and not before', async () => {
  const ada = await platform.newMember();
  await platform.checkout(ada, 5);
  const { id } = await checkoutOf(ada);
  await database.execute("update merchant.checkout set session_id = 'cs_forgotten' where id = $1", [id]);
  assert.equal((await reconcile(id)).data?.status, 'open');
  await database.execute(
    "update merchant.checkout set expires_at = now() - interval '1 minute' where id = $1",
    [id],
  );
  const { data } = await reconcile(id);
  assert.deepEqual([data?.status, data?.paymentId, data?.transactionId], ['expired', null, null]);
  assert.deepEqual([(await reconcile(id)).data?.settledAt, await balanceOf(ada)], [data?.settledAt, 0]);
});

test('the same Idempotency-Key asks once', async () => {
  const ada = await paidInSilence();
  const { id } = await checkoutOf(ada);
  const eager = admin.with({ 'idempotency-key': `reconcile-${id}` });
  const [first, again] = [
    await eager.call(reconcileCheckout, { params: { id } }),
    await eager.call(reconcileCheckout, { params: { id } }),
  ];
  assert.deepEqual(again.data, first.data);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
});

test('checkouts are filtered by status, member and time, and continued by a cursor', async () => {
  const ada = await platform.newMember();
  const ids: string[] = [];
  for (const keys of [1, 2, 3]) {
    await platform.checkout(ada, keys);
    ids.unshift((await checkoutOf(ada)).id);
    platform.clock.advance(2_000);
  }
  const userId = ada.id;
  const found = async (query: Query) => (await list({ userId, ...query })).map(({ id }) => id);
  assert.deepEqual(await found({}), ids);
  assert.deepEqual(await found({ before: ids[0], limit: 1 }), [ids[1]]);
  assert.deepEqual(await found({ before: ids[2] }), []);
  assert.deepEqual(await found({ status: 'paid' }), []);
  const [, second] = await list({ userId });
  assert.deepEqual(await found({ from: second?.createdAt }), ids.slice(0, 2));
  assert.deepEqual(await found({ to: second?.createdAt }), ids.slice(1));
  const { body } = await admin.raw('GET', `/v1/admin/checkouts?userId=${userId}`);
  assert.deepEqual([body.pagination?.total, body.pagination?.totalIsExact], [3, true]);
  for (const query of [
    'status=done',
    'userId=x&status=1',
    'from=2026-02-01&to=2026-01-01',
    `page=1&before=${ids[0]}`,
  ])
    assert.ok([400, 422].includes((await admin.raw('GET', `/v1/admin/checkouts?${query}`)).status), query);
  assertInvalid(await admin.raw('GET', '/v1/admin/checkouts?nothing=1'));
});

test('an unknown checkout is 404', async () => {
  const unknown = { params: { id: 'f'.repeat(24) } };
  assertRefused(await admin.attempt(getCheckout, unknown), checkoutNotFound);
  assertRefused(await admin.attempt(reconcileCheckout, unknown), checkoutNotFound);
  assertRefused(await admin.attempt(getCheckout, { params: { id: 'cs_1' } }), invalidId('checkout'));
});
