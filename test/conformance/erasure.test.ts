import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../support/client.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client, admin, database } = platform;

const SECRET = 'Xanthippeia';
const EMAIL = 'xanthippeia@gone.example.com';
const OLD_EMAIL = 'formerly-known@gone.example.com';
const HANDLE = 'wind_in_the_willows';

type Member = Awaited<ReturnType<typeof platform.newMember>>;

/** Somebody who has left something everywhere. */
async function someoneEverywhere(): Promise<Member> {
  const draft = { email: EMAIL, password: PASSWORD, firstName: SECRET, lastName: SECRET, platform: 'web' };
  const { data } = await client.post('/v1/auth/signup', { ...draft, device: `${SECRET}'s phone` });
  const { accessToken, refreshToken, user } = data;
  const member = { client: client.as(accessToken), id: user.id, email: EMAIL, accessToken, refreshToken };
  await admin.post(`/v1/user/${user.id}/permissions/assign`, { permissions: ['educator'] });
  await admin.put(`/v1/admin/auth/users/${user.id}`, { educator_bio: SECRET });
  await admin.post(`/v1/admin/auth/users/${user.id}/funding-key`);
  await client.post('/auth/forgot-password', { email: EMAIL });
  const token = `${SECRET}-${'t'.repeat(60)}`;
  await member.client.post('/push-notifications/register', { token, platform: 'ios', name: SECRET });
  await member.client.post('/push-notifications/subscribe', { topics: ['GENERAL'] });
  await member.client.put('/push-notifications/preferences', { preferences: { email: { enabled: false } } });
  await admin.post('/v1/notifications/send', {
    userId: user.id,
    title: SECRET,
    message: SECRET,
    type: 'announcement',
    priority: 'low',
    channels: ['email'],
  });
  await member.client.post('/v1/analytics/track', {
    eventName: 'page.view',
    eventType: 'page',
    metadata: { page: SECRET },
  });
  await member.client.get(`/v1/search?q=${SECRET}`);
  await member.client.put('/v1/streams/scanners/charting-username', { chartingUsername: SECRET });
  const { data: product } = await admin.post('/v1/streams/marketplace/products', {
    name: 'A product',
    productType: 'misc',
  });
  await member.client.post('/v1/streams/marketplace/access-requests', {
    productId: product.id,
    fullName: SECRET,
    email: EMAIL,
  });
  return member;
}

async function tablesWith(text: string): Promise<string[]> {
  const rows = await database.all(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const [schema, table] = (name as string).split('.');
    const hits = await database.execute(
      `select 1 from "${schema}"."${table}" row where row::text ilike $1 limit 1`,
      [`%${text}%`],
    );
    if (hits > 0) found.push(name as string);
  }
  return found.sort();
}

/** Everything that operators keep of this member: what was refused, what was done, what was sent. */
async function recordEverywhere(gone: Member): Promise<void> {
  const path = `/v1/admin/auth/users/${gone.id}`;
  await admin.put(path, { email: OLD_EMAIL });
  await admin.put(path, { email: EMAIL });
  await admin.put(path, { customerId: `C-${SECRET}` });
  const refused = [
    gone.client.post('/v1/wallets/transfer', { toUserId: SECRET, amount: EMAIL }),
    gone.client.get(`/v1/streams/marketplace/access-requests?search=${encodeURIComponent(EMAIL)}-${SECRET}`),
    client.post('/v1/auth/signin', { email: EMAIL, password: SECRET, platform: 'web' }),
    client.post('/v1/auth/signup', { email: EMAIL, password: PASSWORD, firstName: SECRET, platform: 'web' }),
    admin.put(path, { email: EMAIL, firstName: SECRET, isActive: SECRET }),
    admin.post('/v1/admin/auth/users', { email: EMAIL, firstName: SECRET, lastName: SECRET }),
  ];
  for (const { status } of await Promise.all(refused)) assert.ok(status >= 400, String(status));
  await gone.client.with({ 'idempotency-key': SECRET }).post('/v1/wallets');
  await admin.put(path, { firstName: SECRET });
  const { data: scanner } = await admin.post('/v1/streams/scanners', { name: 'I' });
  const access = `/v1/streams/scanners/${scanner.id}/access`;
  await admin.post(access, { email: EMAIL, chartingUsername: HANDLE });
  // A grant at the charting platform whose failure alerts operators, with the handle in words.
  await charting({ mode: 'unknown-user' });
  const { data: known } = await admin.post('/v1/streams/scanners', { name: 'J', pineId: 'PUB;erasure' });
  await admin.post(`/v1/streams/scanners/${known.id}/access`, { userId: gone.id, chartingUsername: HANDLE });
  const alerts = `select count(*) from kernel.audit_entry where action = 'indicators.access-failed'`;
  await until(async () => (await database.count(alerts)) > 0, 'the alert', 60_000);
  await charting({ mode: 'ok' });
}
const charting = (body: object) =>
  fetch(`${platform.sandboxUrl}/control/charting`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('nothing in the whole database names a deleted person: no e-mail, name or handle, of then or before', async () => {
  const gone = await someoneEverywhere();
  await recordEverywhere(gone);
  const texts = [SECRET, EMAIL, OLD_EMAIL, HANDLE];
  // Reports are stored a moment after their answer.
  await until(async () => (await tablesWith(SECRET)).includes('gateway.error_report'), 'the reports', 60_000);
  for (const table of ['kernel.audit_entry', 'gateway.error_report', 'identity.user'])
    assert.ok((await tablesWith(EMAIL)).includes(table), `${table}: the test has something to find`);
  assert.ok((await tablesWith(OLD_EMAIL)).includes('kernel.audit_entry'));
  assert.ok((await tablesWith(HANDLE)).includes('kernel.audit_entry'));
  const entries = () =>
    database.all('select id, actor, action, target, created_at from kernel.audit_entry order by id');
  const before = await entries();

  assert.equal((await remove(gone)).status, 200);
  const left = async () => (await Promise.all(texts.map(tablesWith))).map((tables) => tables.join());
  // A job that was under way is emptied by the second round, a minute after the first.
  await until(async () => (await left()).join('') === '', 'the erasure', 120_000).catch(async () => {
    assert.deepEqual(await left(), ['', '', '', '']);
  });
  const after = await entries();
  assert.deepEqual(after.slice(0, before.length), before, 'what was done, by whom and when stays');
  await assert.rejects(database.execute(`update kernel.audit_entry set details = '{}'`), /append-only/);
  await assert.rejects(database.execute('delete from kernel.audit_entry'), /append-only/);
});

const remove = ({ id }: Member) => admin.delete(`/v1/admin/auth/users/${id}`);

test('nothing that names a deleted person is left in any module', async () => {
  const gone = await someoneEverywhere();
  const { data: room } = await gone.client.get(`/v1/educators/${gone.id}/chatroom`);
  assert.equal(room.name, `${SECRET} ${SECRET}`);
  const before = await tablesWith(SECRET);
  for (const table of [
    'chat.room',
    'identity.session',
    'identity.user',
    'indicators.holder',
    'marketplace.access_request',
    'notifications.device',
    'notifications.notification',
    'search.document',
  ])
    assert.ok(before.includes(table), `${table}: the test has something to find (${before})`);
  for (const schema of ['analytics.', 'search.'])
    assert.ok(
      before.some((name) => name.startsWith(schema)),
      `${schema}: the test has something to find (${before})`,
    );

  assert.equal((await remove(gone)).status, 200);
  await until(async () => (await tablesWith(SECRET)).length === 0, 'the erasure', 60_000);
  for (const table of ['delivery', 'preference', 'topic_subscription', 'tally']) {
    const hits = await database.execute(`select 1 from notifications.${table} where user_id = $1`, [gone.id]);
    assert.equal(hits, 0, table);
  }
  await until(
    async () => (await admin.get(`/v1/chatrooms/${room.chatroomId}`)).status === 404,
    'the room',
    60_000,
  );
  assert.equal((await admin.get(`/v1/educators/${gone.id}/chatroom`)).status, 404);
});

test('a deleted person leaves rooms and communities, and their counts; what they said stays', async () => {
  const [ada, gone] = [await platform.newMember(), await platform.newMember()];
  const { data: room } = await ada.client.post('/v1/chatrooms', { name: 'Open', type: 'public' });
  await gone.client.post(`/v1/chatrooms/${room.id}/messages`, { message: 'good bye' });
  const { data: community } = await admin.post('/v1/communities', { name: 'All' });
  await ada.client.post(`/v1/communities/${community.id}/join`);
  await gone.client.post(`/v1/communities/${community.id}/join`);
  const { data: post } = await ada.client.post(`/v1/communities/${community.id}/posts`, { content: 'hello' });
  assert.equal((await gone.client.put(`/v1/posts/${post.id}/reaction`, { type: 'like' })).status, 200);
  await remove(gone);
  const figures = async () => {
    const [{ data: rooms }, { data: members }, { data: communities }, { data: reacted }] = await Promise.all([
      ada.client.get(`/v1/chatrooms/${room.id}`),
      ada.client.get(`/v1/chatrooms/${room.id}/members`),
      ada.client.get(`/v1/communities/${community.id}`),
      ada.client.get(`/v1/posts/${post.id}`),
    ]);
    return [rooms.memberCount, members.length, communities.memberCount, reacted.reactionCount];
  };
  await until(async () => `${await figures()}` === '1,1,2,0', 'the counts', 60_000);
  const { data: messages } = await ada.client.get(`/v1/chatrooms/${room.id}/messages`);
  assert.deepEqual(
    messages.map(({ userId, message }: { userId: string; message: string }) => [userId, message]),
    [[gone.id, 'good bye']],
  );
});

test('livestreams of a deleted person end, or are cancelled', async () => {
  const gone = await platform.newMember();
  await admin.post(`/v1/user/${gone.id}/permissions/assign`, { permissions: ['educator'] });
  const hour = (from: number) => new Date(platform.clock.now() + from * 3_600_000).toISOString();
  const announce = async (title: string) =>
    (await gone.client.post('/v1/livestreams', { title, scheduledStart: hour(1), scheduledEnd: hour(2) }))
      .data.id;
  const [live, scheduled] = [await announce('live'), await announce('scheduled')];
  assert.equal((await gone.client.post(`/v1/livestreams/${live}/start`)).status, 200);
  await remove(gone);
  const statusOf = async (id: string) => (await admin.get(`/v1/livestreams/${id}`)).data.status;
  await until(async () => (await statusOf(live)) === 'ended', 'the end', 60_000);
  assert.equal(await statusOf(scheduled), 'cancelled');
});

test('nobody is told anything after they were deleted, and what was under way leaves nothing', async () => {
  const [sender, gone] = [await platform.newMemberWith(20), await platform.newMember()];
  const gifts = Array.from({ length: 10 }, () =>
    sender.client.post('/v1/wallets/transfer', { toUserId: gone.id, amount: 1 }),
  );
  const token = (place: number) => `device-${place}-${'x'.repeat(60)}`;
  const registrations = Array.from({ length: 10 }, (_, place) =>
    gone.client.post('/push-notifications/register', { token: token(place), platform: 'ios' }),
  );
  const removing = remove(gone);
  await Promise.all([...gifts, ...registrations, removing]);
  await database.execute(
    `update jobs.job set start_after = now() where name = 'identity.erase-again' and state = 'created'`,
  );
  await until(
    async () => {
      const rows = await database.all(
        `select (select count(*) from notifications.notification where user_id = $1)
           + (select count(*) from notifications.device where user_id = $1)
           + (select count(*) from jobs.job where state < 'completed'
                and name in ('on.identity.user-deleted.notifications', 'identity.erase-again')) as left`,
        [gone.id],
      );
      return rows[0]?.left === 0;
    },
    'the erasure',
    60_000,
  );
});
