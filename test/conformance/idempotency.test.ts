import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buyKeys,
  createWebhookEndpoint,
  getBalance,
  listWebhookEndpoints,
  refreshToken,
  signIn,
  transferKeys,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { secretsOf } from '../../src/kernel/secrets.ts';
import type { Client } from '../support/client.ts';
import { newLeaver } from '../support/leavers.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, clock } = platform;
await platform.standIn('payments', { payouts: 'hold' });
let keys = 0;
const newKey = (): string => `key-${++keys}`;
const withKey = (client: Client, key = newKey()) => client.with({ 'idempotency-key': key });
const same = ({ status, body }: { status: number; body: { meta: unknown; errorId?: string } }) => {
  const { meta: _, errorId: __, ...rest } = body;
  return { status, rest };
};

const ada = await platform.newMemberWith(1_000);
const ben = await platform.newMemberWith(0);
const newWithdrawal = async () =>
  (await ada.client.call(withdrawKeys, { body: { amount: 1 } })).data.transaction.transactionId;
/** A transfer by a new member, whose balance the other operations do not change. */
async function newTransfer(): Promise<string> {
  const sender = await platform.newMemberWith(2);
  const body = { toUserId: (await platform.newMemberWith(0)).id, amount: 2 };
  return (await sender.client.call(transferKeys, { body })).data.transaction.transactionId;
}

/** A request for every POST that moves Keys or money, and for others whose effect must be had once. */
const OPERATIONS: Record<string, () => Promise<[Client, string, object?]>> = {
  'POST /v1/wallets': async () => [(await platform.newMember()).client, '/v1/wallets'],
  'POST /v1/wallets/fund': async () => [ada.client, '/v1/wallets/fund', { amount: 5 }],
  'POST /v1/wallets/transfer': async () => [
    ada.client,
    '/v1/wallets/transfer',
    { toUserId: ben.id, amount: 1, metadata: { gift: true } },
  ],
  'POST /v1/wallets/transfer, refused': async () => [
    ada.client,
    '/v1/wallets/transfer',
    { toUserId: ben.id, amount: 1_000_000 },
  ],
  'POST /v1/wallets/withdraw': async () => [ada.client, '/v1/wallets/withdraw', { amount: 2 }],
  'POST /v1/wallets/withdrawals/:transactionId/cancel': async () => [
    ada.client,
    `/v1/wallets/withdrawals/${await newWithdrawal()}/cancel`,
  ],
  'POST /v1/wallets/admin/create': async () => [
    admin,
    '/v1/wallets/admin/create',
    { userId: (await platform.newMember()).id },
  ],
  'POST /v1/wallets/admin/fund': async () => [admin, '/v1/wallets/admin/fund', { userId: ben.id, amount: 3 }],
  'POST /v1/wallets/admin/debit': async () => [
    admin,
    '/v1/wallets/admin/debit',
    { userId: (await platform.newMemberWith(9)).id, amount: 3, reason: 'A mistake of ours' },
  ],
  'POST /v1/wallets/admin/withdrawals': async () => [
    admin,
    '/v1/wallets/admin/withdrawals',
    { userId: await newLeaver(platform, 500), amount: 100, reason: 'The bank details are right now' },
  ],
  'POST /v1/wallets/admin/transactions/:transactionId/reverse': async () => [
    admin,
    `/v1/wallets/admin/transactions/${await newTransfer()}/reverse`,
    { reason: 'A mistake of ours' },
  ],
  'POST /v1/wallets/admin/withdrawals/:transactionId/settle': async () => [
    admin,
    `/v1/wallets/admin/withdrawals/${await newWithdrawal()}/settle`,
    { outcome: 'failed', reason: 'x' },
  ],
  'POST /v1/wallets/admin/withdrawals/:transactionId/retry': async () => [
    admin,
    `/v1/wallets/admin/withdrawals/${await newWithdrawal()}/retry`,
    { reason: 'It takes long' },
  ],
  'POST /v1/admin/api-keys': async () => [admin, '/v1/admin/api-keys', { name: 'A client', tier: 'mobile' }],
  'POST /v1/admin/api-keys/:id/roll': async () => [
    admin,
    `/v1/admin/api-keys/${(await platform.newKey('mobile')).id}/roll`,
    { overlapHours: 1 },
  ],
  'POST /v1/exchange-rates': async () => [admin, '/v1/exchange-rates', { rate: 1, notes: 'again' }],
};

/** Returns the state of the database in which an effect would show. */
async function effects(): Promise<string> {
  const rows = await database.all(`select
    (select count(*) from wallet.transaction) as transactions, (select count(*) from wallet.account) as accounts,
    (select count(*) from wallet.exchange_rate) as rates, (select count(*) from merchant.checkout) as checkouts,
    (select count(*) from kernel.audit_entry) as audit, (select sum(last_seq) from wallet.account) as entries`);
  return JSON.stringify(rows[0]);
}

test('every POST under /v1/wallets accepts an Idempotency-Key', () => {
  const posts = platform.platform.operations.filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/v1/wallets'),
  );
  for (const { path, idempotent } of posts) {
    assert.ok(idempotent, path);
    assert.ok(OPERATIONS[`POST ${path}`], `${path} is not tested here`);
  }
});

for (const [name, make] of Object.entries(OPERATIONS)) {
  test(`${name}: repeating a request returns the same response and has no second effect`, async () => {
    const [plain, path, body] = await make();
    const client = withKey(plain);
    const first = await client.raw('POST', path, body);
    assert.equal(first.headers.get('idempotent-replayed'), null);
    const after = await effects();
    const shuffled = body && Object.fromEntries(Object.entries(body).reverse());
    for (const again of [await client.raw('POST', path, body), await client.raw('POST', path, shuffled)]) {
      assert.deepEqual(same(again), same(first));
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    }
    assert.equal(await effects(), after);
  });

  test(`${name}: thirty concurrent repetitions have one effect`, async () => {
    const [plain, path, body] = await make();
    const client = withKey(plain);
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.raw('POST', path, body)));
    const completed = answers.filter(({ status }) => status !== 409);
    const inProgress = answers.filter(({ status }) => status === 409);
    for (const answer of inProgress) assert.equal(answer.body.error, 'REQUEST_IN_PROGRESS');
    assert.ok(completed.length > 0);
    for (const answer of completed)
      assert.deepEqual(same(answer), same(completed[0] as (typeof completed)[number]));
    assert.equal(completed.filter(({ headers }) => !headers.get('idempotent-replayed')).length, 1);
    const after = await effects();
    assert.deepEqual(
      same(await client.raw('POST', path, body)),
      same(completed[0] as (typeof completed)[number]),
    );
    assert.equal(await effects(), after);
  });
}

test('reusing a key for another body or operation is 422, and keys of members are separate', async () => {
  const key = newKey();
  const transfer = { toUserId: ben.id, amount: 1 };
  const client = withKey(ada.client, key);
  assert.equal((await client.call(transferKeys, { body: transfer })).status, 201);
  for (const [path, body] of [
    ['/v1/wallets/transfer', { ...transfer, amount: 2 }],
    ['/v1/wallets/withdraw', { amount: 1 }],
  ] as const) {
    const { status, body: answer } = await client.raw('POST', path, body);
    assert.deepEqual([status, answer.error], [422, 'IDEMPOTENCY_KEY_REUSED']);
  }
  const other = await withKey(ben.client, key).call(transferKeys, { body: { toUserId: ada.id, amount: 1 } });
  assert.deepEqual([other.status, other.headers.get('idempotent-replayed')], [201, null]);
});

test('failed requests are not saved under their key and can be corrected and repeated', async () => {
  const key = newKey();
  const client = withKey(ada.client, key);
  assert.equal((await client.raw('POST', '/v1/wallets/transfer', { amount: 1 })).status, 422);
  assert.equal((await client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } })).status, 201);
  await platform.standIn('payments', { mode: 'fail' });
  const buyer = withKey(ada.client);
  assert.equal((await buyer.attempt(buyKeys, { body: { amount: 5 } })).status, 503);
  await platform.standIn('payments', { mode: 'ok' });
  assert.equal((await buyer.call(buyKeys, { body: { amount: 5 } })).status, 201);
});

test('a saved secret whose SECRET_KEY is gone is answered 503, and the request is not repeated', async () => {
  const key = newKey();
  const body = { url: 'http://127.0.0.1:9/unreached', enabled: false };
  const create = () => withKey(admin, key).attempt(createWebhookEndpoint, { body });
  assert.equal((await create()).status, 201);
  const foreign = secretsOf(['another SECRET_KEY']).sealer('gateway.kept-answers').seal('{}');
  await database.execute(
    `update kernel.idempotency_key set answer = json_build_object('sealed', $1::text) where key = $2`,
    [foreign.toString('base64'), key],
  );
  assert.equal((await create()).status, 503);
  assert.equal((await admin.call(listWebhookEndpoints)).data.length, 1);
});

test('idempotency keys are valid for a day', async () => {
  const client = withKey(ada.client);
  const send = () => client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } });
  const first = await send();
  clock.advance(10 * 60_000);
  assert.deepEqual(same(await send()), same(first));
  // The earlier session has expired a day later.
  const { data } = await platform.client.call(signIn, {
    body: {
      email: ada.email,
      password: 'a password for tests',
      platform: 'web',
    },
  });
  clock.advance(24 * 3_600_000);
  const signedIn = await platform.client.call(refreshToken, { body: { refreshToken: data.refreshToken } });
  client.headers.authorization = `Bearer ${signedIn.data.accessToken}`;
  const later = await send();
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, null]);
  assert.notEqual(later.data.transaction.transactionId, first.data.transaction.transactionId);
});

test('malformed keys are 400, quotes are ignored, and reads ignore the header', async () => {
  const { client } = await platform.newMemberWith(0);
  for (const key of [' ', 'x'.repeat(256), 'é']) {
    const { status, body } = await withKey(client, key).attempt(transferKeys, {
      body: {
        toUserId: ben.id,
        amount: 1,
      },
    });
    assert.deepEqual([status, body.error], [400, 'INVALID_IDEMPOTENCY_KEY'], key);
  }
  const body = { toUserId: ben.id, amount: 1 };
  await withKey(client, 'quoted').attempt(transferKeys, { body });
  const again = await withKey(client, '"quoted"').attempt(transferKeys, { body });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await withKey(client, '').call(getBalance)).status, 200);
});

test('saved responses are deleted after a day, and the ledger is sound', async () => {
  clock.advance(25 * 3_600_000);
  await platform.platform.runJob('kernel.forget-idempotency-keys');
  const rows = await database.all('select count(*) from kernel.idempotency_key');
  assert.equal(rows[0]?.count, 0);
  assert.deepEqual(await ledgerFaults(database), []);
});
