// Lists whose items may become very many: the total stops, and reading goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminOf } from '../../sdk/src/admin.ts';
import {
  assignPermissions,
  createClient,
  createIndicator,
  createWebhookEndpoint,
  listChatrooms,
  listCommunities,
  listReports,
  listTrades,
  listWallets,
  memoryStorage,
} from '../../sdk/src/index.ts';
import { MOST_COUNTED } from '../../src/kernel/database/pagination.ts';
import { describedOperations } from '../support/api-contract.ts';
import { PASSWORD } from '../support/client.ts';
import { newEducator } from '../support/courses.ts';
import { audienceOf } from '../support/descriptions.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const ada = await newEducator(platform);

const ID = "lpad(to_hex(n), 24, '0')";
const MANY = `generate_series(1, ${MOST_COUNTED + 10}) n`;
const FILL = [
  `insert into trades.trade (id, user_id, symbol, direction, entry_price, note, status, created_at)
   select ${ID}, $1, 'XAUUSD', 'long', 1, '', 'open', now() from ${MANY}`,
  `insert into chat.room (id, name, description, type, created_by, created_at, updated_at)
   select ${ID}, 'Gold', '', 'public', $1, now(), now() from ${MANY}`,
  `insert into community.community (id, name, description, created_by, created_at)
   select ${ID}, 'Metals', '', $1, now() from ${MANY}`,
];
for (const text of FILL) await database.execute(text, [ada.id]);

for (const operation of [listTrades, listChatrooms, listCommunities])
  test(`${operation.id}: the total stops at ten thousand, and the pages beyond it can be read`, async () => {
    const query = { page: 1, limit: 10 };
    const { pagination } = (await ada.client.call(operation, { query })).body;
    assert.deepEqual([pagination?.total, pagination?.totalIsExact], [MOST_COUNTED, false]);
    const beyond = await ada.client.call(operation, { query: { ...query, page: MOST_COUNTED / 10 + 1 } });
    assert.equal(beyond.data.length, 10);
    const none = await ada.client.call(operation, { query: { ...query, page: MOST_COUNTED / 10 + 2 } });
    assert.equal(none.data.length, 0);
  });

test('the SDK reads such a list to its end, by cursors and by pages', async () => {
  const api = createClient({
    apiKey: (await platform.newKey('admin')).key,
    baseUrl: platform.url,
    storage: memoryStorage(),
  });
  await api.auth.signIn({ email: ada.email, password: PASSWORD, platform: 'web' });
  for (const page of [undefined, 90]) {
    const seen = new Set<string>();
    for await (const { id } of api.communities.list({ limit: 100, page })) seen.add(id);
    const skipped = ((page ?? 1) - 1) * 100;
    assert.equal(seen.size, MOST_COUNTED + 10 - skipped);
  }
});

test('the SDK reads on where the fields of a cursor have other names in the SDK', async () => {
  const [boss] = await Promise.all([platform.newMember(), ...[1, 2, 3].map(() => platform.newMemberWith(1))]);
  await admin.call(assignPermissions, { params: { userId: boss.id }, body: { permissions: ['admin'] } });
  const api = createClient({
    apiKey: (await platform.newKey('admin')).key,
    baseUrl: platform.url,
    storage: memoryStorage(),
  });
  await api.auth.signIn({ email: boss.email, password: PASSWORD, platform: 'web' });
  const seen = new Set<string>();
  for await (const { id } of adminOf(api).wallet.list({ limit: 1 })) seen.add(id);
  assert.equal(seen.size, (await admin.call(listWallets)).body.pagination.total);
  assert.ok(seen.size >= 3);
});

test('listReports: the total is exact below that', async () => {
  const { pagination } = (await admin.call(listReports)).body;
  assert.deepEqual([pagination?.total, pagination?.totalIsExact], [0, true]);
});

/** Lists of what operators and administrators make, of which there are few. */
const FEW = ['listApiKeys', 'listSessionsOfUser', 'listWebhookEndpoints', 'listEventNames'];

test('every list of administrators that grows says whether its total is exact', async () => {
  const indicator = (await admin.call(createIndicator, { body: { pineId: 'PUB;gold', name: 'Gold' } })).data;
  const url = 'http://127.0.0.1:1/hooks';
  const endpoint = (await admin.call(createWebhookEndpoint, { body: { url } })).data;
  const ids: Record<string, string> = {
    '/v1/streams/scanners/{id}/access': indicator.id,
    '/v1/webhook-endpoints/{id}/deliveries': endpoint.id,
  };
  const isOfStaff = (one: string): boolean => ['administrator', 'moderator', 'service'].includes(one);
  const lists = describedOperations().filter(
    ({ id, is }) =>
      is['x-pagination']?.style.startsWith('page') && audienceOf(is).every(isOfStaff) && !FEW.includes(id),
  );
  assert.ok(lists.length > 15);
  const silent: string[] = [];
  for (const { id, path } of lists) {
    const address = path
      .replace('{userId}', ada.id)
      .replace('{queue}', 'notifications.digest')
      .replace('{id}', ids[path] ?? '');
    const { status, body } = await admin.raw('GET', address);
    assert.equal(status, 200, id);
    if (body.pagination?.totalIsExact !== true) silent.push(id);
  }
  assert.deepEqual(silent, []);
});
