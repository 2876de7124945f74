import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createIndicator,
  createProduct,
  createUser,
  createWallet,
  deleteUser,
  forgotPassword,
  getChatroom,
  getEducatorChatroom,
  grantIndicatorAccess,
  issueFundingKey,
  listAccessRequests,
  listNotifications,
  registerDevice,
  search,
  sendNotification,
  setChartingUsername,
  setPreferences,
  signIn,
  signUp,
  submitAccessRequest,
  subscribeToEducator,
  subscribeToTopics,
  trackEvent,
  updateProfile,
  updateUser,
} from '../../sdk/src/index.ts';
import { educatorNotFound } from '../../src/modules/educators/contract.ts';
import { announce } from '../support/announcements.ts';
import { PASSWORD } from '../support/client.ts';
import { addApp } from '../support/factors.ts';
import { until } from '../support/live.ts';
import { startPlatform, WEBHOOK_SECRET } from '../support/platform.ts';
import { assertRefused } from '../support/refused.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client, admin, database } = platform;

const SECRET = 'Xanthippeia';
const EMAIL = 'xanthippeia@gone.example.com';
const OLD_EMAIL = 'formerly-known@gone.example.com';
const HANDLE = 'wind_in_the_willows';

type Member = Awaited<ReturnType<typeof platform.newMember>>;

/** Creates a member with records in every module. */
async function newMemberWithRecords(): Promise<Member> {
  const draft = {
    email: EMAIL,
    password: PASSWORD,
    firstName: SECRET,
    lastName: SECRET,
    platform: 'web' as const,
  };
  const { data } = await client.call(signUp, { body: { ...draft, device: `${SECRET}'s phone` } });
  const { accessToken, refreshToken, user } = data;
  const member = { client: client.as(accessToken), id: user.id, email: EMAIL, accessToken, refreshToken };
  await admin.call(assignPermissions, { params: { userId: user.id }, body: { permissions: ['educator'] } });
  await admin.call(updateUser, { params: { userId: user.id }, body: { educator_bio: SECRET } });
  for (const username of [`${SECRET.toLowerCase()}-then`, 'somebody-else'])
    await member.client.call(updateProfile, { body: { username, bio: `${SECRET} of ${username}` } });
  await admin.call(issueFundingKey, { params: { userId: user.id } });
  await addApp(platform, member.client);
  await client.call(forgotPassword, { body: { email: EMAIL } });
  const token = `${SECRET}-${'t'.repeat(60)}`;
  await member.client.call(registerDevice, { body: { token, platform: 'ios', name: SECRET } });
  await member.client.call(subscribeToTopics, { body: { topics: ['GENERAL'] } });
  await member.client.call(setPreferences, { body: { preferences: { email: { enabled: false } } } });
  await admin.call(sendNotification, {
    body: {
      userId: user.id,
      title: SECRET,
      message: SECRET,
      type: 'announcement',
      priority: 'low',
      channels: ['email'],
    },
  });
  await member.client.call(trackEvent, {
    body: {
      eventName: 'page.view',
      eventType: 'page',
      metadata: { page: SECRET },
    },
  });
  await member.client.call(search, { query: { q: 'Xanthippeia' } });
  const follower = await platform.newMember();
  await follower.client.call(subscribeToEducator, { params: { educatorId: member.id } });
  await announce(member);
  const announcementsOfFollower = () =>
    follower.client.call(listNotifications, { query: { type: 'announcement' } });
  await until(
    async () => (await announcementsOfFollower()).data[0]?.title === `${SECRET} ${SECRET}: News`,
    'the notification of somebody else',
  );
  await member.client.call(setChartingUsername, { body: { chartingUsername: SECRET } });
  const { data: product } = await admin.call(createProduct, {
    body: {
      name: 'A product',
      productType: 'misc',
    },
  });
  await member.client.call(submitAccessRequest, {
    body: {
      productId: product.id,
      fullName: SECRET,
      email: EMAIL,
    },
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

/** Creates the records that operators have about this member: failures, audit entries and sent messages. */
async function addOperatorRecords(gone: Member): Promise<void> {
  const path = `/v1/admin/auth/users/${gone.id}`;
  await admin.call(updateUser, { params: { userId: gone.id }, body: { email: OLD_EMAIL } });
  await admin.call(updateUser, { params: { userId: gone.id }, body: { email: EMAIL } });
  await admin.call(updateUser, { params: { userId: gone.id }, body: { customerId: `C-${SECRET}` } });
  const refused = [
    gone.client.raw('POST', '/v1/wallets/transfer', { toUserId: SECRET, amount: EMAIL }),
    gone.client.attempt(listAccessRequests, {
      query: { search: 'xanthippeia@gone.example.com-Xanthippeia' },
    }),
    client.attempt(signIn, { body: { email: EMAIL, password: SECRET, platform: 'web' } }),
    client.raw('POST', '/v1/auth/signup', {
      email: EMAIL,
      password: PASSWORD,
      firstName: SECRET,
      platform: 'web',
    }),
    admin.raw('PUT', path, { email: EMAIL, firstName: SECRET, isActive: SECRET }),
    admin.attempt(createUser, { body: { email: EMAIL, firstName: SECRET, lastName: SECRET } }),
  ];
  for (const { status } of await Promise.all(refused)) assert.ok(status >= 400, String(status));
  await gone.client.with({ 'idempotency-key': SECRET }).call(createWallet);
  await admin.call(updateUser, { params: { userId: gone.id }, body: { firstName: SECRET } });
  const { data: scanner } = await admin.call(createIndicator, { body: { name: 'I' } });
  await admin.call(grantIndicatorAccess, {
    params: { id: scanner.id },
    body: { email: EMAIL, chartingUsername: HANDLE },
  });
  await backoffice('indicator-access', { customer_id: `C-${SECRET}`, action: 'grant', eventId: 'access-1' });
  await backoffice('activity-status', { userId: gone.id, active: true, eventId: 'activity-1' });
  // A grant whose failure at the charting platform alerts operators, and which has the handle in its error.
  await charting({ mode: 'unknown-user' });
  const { data: known } = await admin.call(createIndicator, { body: { name: 'J', pineId: 'PUB;erasure' } });
  await admin.call(grantIndicatorAccess, {
    params: { id: known.id },
    body: { userId: gone.id, chartingUsername: HANDLE },
  });
  const alerts = `select count(*) from kernel.audit_entry where action = 'indicators.access-failed'`;
  await until(async () => (await database.count(alerts)) > 0, 'the alert');
  await charting({ mode: 'ok' });
}
async function backoffice(webhook: string, body: object): Promise<void> {
  const { status } = await client
    .with({ 'x-webhook-secret': WEBHOOK_SECRET })
    .raw('POST', `/v1/streams/webhooks/${webhook}`, body);
  assert.equal(status, 200);
}
const charting = (body: { mode: string }) => platform.standIn('charting', body);

test('the database contains no e-mail, name or handle of a deleted person', async () => {
  const member = await newMemberWithRecords();
  await addOperatorRecords(member);
  const texts = [SECRET, EMAIL, OLD_EMAIL, HANDLE];
  // Reports are stored a moment after the response.
  await until(async () => (await tablesWith(SECRET)).includes('gateway.error_report'), 'the reports');
  for (const table of ['kernel.audit_entry', 'gateway.error_report', 'identity.user'])
    assert.ok((await tablesWith(EMAIL)).includes(table), `${table}: the test has something to find`);
  assert.ok((await tablesWith(OLD_EMAIL)).includes('kernel.audit_entry'));
  for (const table of ['kernel.audit_entry', 'indicators.webhook_event'])
    assert.ok((await tablesWith(HANDLE)).includes(table), `${table}: the test has something to find`);
  const entries = () =>
    database.all('select id, actor, action, target, created_at from kernel.audit_entry order by id');
  const before = await entries();

  assert.equal((await remove(member)).status, 200);
  const left = async () => (await Promise.all(texts.map(tablesWith))).map((tables) => tables.join());
  // The second round of the erasure, a minute after the first, empties a job that was running during the first.
  await until(async () => (await left()).join('') === '', 'the erasure', 120_000).catch(async () => {
    assert.deepEqual(await left(), ['', '', '', '']);
  });
  const after = await entries();
  assert.deepEqual(after.slice(0, before.length), before, 'what was done, by whom and when stays');
  await assert.rejects(database.execute(`update kernel.audit_entry set details = '{}'`), /append-only/);
  await assert.rejects(database.execute('delete from kernel.audit_entry'), /append-only/);
});

const remove = ({ id }: Member) => admin.call(deleteUser, { params: { userId: id } });

test('no module keeps data that identifies a deleted person', async () => {
  const member = await newMemberWithRecords();
  const { data: room } = await member.client.call(getEducatorChatroom, { params: { educatorId: member.id } });
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

  assert.equal((await remove(member)).status, 200);
  await until(async () => (await tablesWith(SECRET)).length === 0, 'the erasure');
  for (const table of ['delivery', 'preference', 'topic_subscription', 'tally']) {
    const hits = await database.execute(`select 1 from notifications.${table} where user_id = $1`, [
      member.id,
    ]);
    assert.equal(hits, 0, table);
  }
  await until(
    async () =>
      (await admin.attempt(getChatroom, { params: { chatroomId: room.chatroomId } })).status === 404,
    'the room',
    60_000,
  );
  assertRefused(
    await admin.attempt(getEducatorChatroom, { params: { educatorId: member.id } }),
    educatorNotFound,
  );
});

test('a mail that is sent long after the deletion leaves no address behind', async () => {
  await platform.standIn('mail', { mode: 'fail' });
  const address = 'reached-too-late@gone.example.com';
  const body = {
    email: address,
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  const { data } = await client.call(signUp, { body });
  await admin.call(deleteUser, { params: { userId: data.user.id } });
  // Both rounds of the erasure pass while sending the mail still fails.
  await advance('3 minutes');
  assert.ok((await tablesWith(address)).includes('jobs.job'), 'the mail still waits');
  await platform.standIn('mail', { mode: 'ok' });
  await advance('1 day');
  assert.deepEqual(await tablesWith(address), []);
});

/** Moves the clock forward, and resolves when the work that fell due has been done. */
async function advance(by: string): Promise<void> {
  const { status } = await fetch(`${platform.sandboxUrl}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: by }),
  });
  assert.equal(status, 200);
}
