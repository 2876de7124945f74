import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  endSessionsOfUser,
  getProfile,
  issueFundingKey,
  listPlatforms,
  listPurchases,
  listSessions,
  listSessionsOfUser,
  recordPurchase,
  removePurchase,
  signIn as signInOperation,
  signOut,
  signUp,
  updateUser,
  validateFundingKey,
  type wire,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { userNotFound } from '../contract.ts';
import { invalidFundingKey } from '../funding-keys/funding-keys.ts';
import { purchaseNotFound } from '../purchases/purchases.ts';

const platform = await startPlatform();
const { client, admin } = platform;
const DAY_MS = 86_400_000;
const MESSAGE = (name: string) => `No access to ${name}. A valid subscription (SKU) is required`;

const bought = (userId: string, sku: string, daysAgo: number) =>
  admin.call(recordPurchase, {
    params: { userId },
    body: {
      sku,
      product_name: 'A course',
      last_purchased_date: new Date(platform.clock.now() - daysAgo * DAY_MS).toISOString(),
    },
  });
type ClientPlatform = wire.SignInBody['platform'];
const signIn = (email: string, on: ClientPlatform, device = 'unnamed') =>
  client.attempt(signInOperation, { body: { email, password: PASSWORD, platform: on, device } });

test('an active SKU lets a member into app; an expired one does not', async () => {
  const ada = await platform.newMember();
  const before = await signIn(ada.email, 'app');
  assert.deepEqual([before.status, before.body.statusCode, before.body.message], [403, 403, MESSAGE('app')]);
  assert.equal(before.body.error, 'PLATFORM_ACCESS_DENIED');
  const expired = await bought(ada.id, 'XHSET101', 31);
  assert.equal(expired.status, 201);
  assert.equal((await signIn(ada.email, 'app')).status, 403);
  assert.equal((await bought(ada.id, 'FREEACCESS', 1)).status, 201);
  assert.equal((await signIn(ada.email, 'livestream')).body.message, MESSAGE('livestream'));
  const { data: purchase } = await bought(ada.id, 'DSAS404', 29);
  for (const on of ['app', 'livestream', 'scanners', 'web', 'backoffice'] as const) {
    assert.equal((await signIn(ada.email, on)).status, 200, on);
  }
  const listed = await admin.call(listPurchases, { params: { userId: ada.id } });
  assert.deepEqual(
    listed.data.map(({ sku }) => sku),
    ['DSAS404', 'FREEACCESS', 'XHSET101'],
  );
  assertRefused(
    await admin.attempt(removePurchase, { params: { userId: platform.adminId, purchaseId: purchase.id } }),
    purchaseNotFound,
    "another user's purchase is not to be had there",
  );
  assert.equal(
    (await admin.call(removePurchase, { params: { userId: ada.id, purchaseId: purchase.id } })).status,
    200,
  );
  assert.equal((await signIn(ada.email, 'app')).status, 403);
});

test('signing up on a platform that needs a SKU is refused before anything is written', async () => {
  const email = newEmail();
  const draft = { email, password: PASSWORD, firstName: 'A', lastName: 'B' };
  const refused = await client.attempt(signUp, { body: { ...draft, platform: 'app' } });
  assert.deepEqual([refused.status, refused.body.message], [403, MESSAGE('app')]);
  assert.equal((await client.call(signUp, { body: { ...draft, platform: 'scanners' } })).status, 201);
});

test('a wrong password is reported before an inactive account, and that before a missing SKU', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  const wrong = await client.attempt(signInOperation, {
    body: {
      email: ada.email,
      password: 'wrong',
      platform: 'app',
    },
  });
  assertRefused(wrong, authenticationFailed);
  assertRefused(await signIn(ada.email, 'app'), accountInactive);
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: true } });
  assert.equal((await signIn(ada.email, 'app')).body.message, MESSAGE('app'));
});

test('a device without a visible name, or with one that turns the line around it, opens no session', async () => {
  const { email } = await platform.newMember();
  for (const device of ['\n\r\n', '\u200b', ' ', 'x\u202ey'])
    assertInvalid(await signIn(email, 'web', device), JSON.stringify(device));
  assert.equal((await signIn(email, 'web', "Ada's phone")).status, 200);
});

test('owners and administrators list sessions and end them all, by platform or by device', async () => {
  const ada = await platform.newMember();
  const open = async (on: ClientPlatform, device: string) =>
    client.as(String((await signIn(ada.email, on, device)).data?.accessToken));
  const isAlive = async (session: typeof client) => (await session.attempt(getProfile)).status === 200;
  const [webPhone, webDesk, officeDesk] = [
    await open('web', 'phone'),
    await open('web', 'desk'),
    await open('backoffice', 'desk'),
  ];
  const { data, body } = await webDesk.call(listSessions);
  assert.deepEqual(body.pagination, { page: 1, limit: 50, total: 4, pages: 1 });
  const second = await webDesk.call(listSessions, { query: { limit: 1, page: 2 } });
  assert.deepEqual([second.data.length, second.data[0]?.id], [1, data[1]?.id]);
  const named = data.map((one) => `${one.platform} ${one.device}`);
  assert.deepEqual(named, ['backoffice desk', 'web desk', 'web phone', 'web unnamed']);
  assert.deepEqual(
    data.map(({ isCurrent }) => isCurrent),
    [false, true, false, false],
  );

  assertInvalid(await webDesk.attempt(signOut, { body: { device: 'phone' } }));
  assert.equal((await webDesk.raw('POST', '/v1/auth/signout', { platform: 'tv' })).status, 400);
  assert.equal(
    (await webDesk.call(signOut, { body: { platform: 'web', device: 'phone' } })).data.sessionsEnded,
    1,
  );
  assert.deepEqual(await Promise.all([webPhone, webDesk, officeDesk].map(isAlive)), [false, true, true]);
  assert.equal((await officeDesk.call(signOut, { body: { platform: 'web' } })).data.sessionsEnded, 2);
  assert.deepEqual(await Promise.all([webDesk, officeDesk].map(isAlive)), [false, true]);
  assert.equal((await officeDesk.call(signOut)).data.sessionsEnded, 1);
  assert.equal(await isAlive(officeDesk), false);

  const again = await open('web', 'desk');
  const listed = await admin.call(listSessionsOfUser, { params: { userId: ada.id } });
  assert.deepEqual([listed.data.length, listed.body.pagination.total], [1, 1]);
  assertInvalid(
    await admin.attempt(endSessionsOfUser, { params: { userId: ada.id }, query: { device: 'desk' } }),
    'a device is one of a platform',
  );
  assert.equal(
    (await admin.call(endSessionsOfUser, { params: { userId: ada.id }, query: { platform: 'backoffice' } }))
      .data.sessionsEnded,
    0,
  );
  assert.equal((await admin.call(endSessionsOfUser, { params: { userId: ada.id } })).data.sessionsEnded, 1);
  assert.equal(await isAlive(again), false);
  assertRefused(
    await admin.attempt(listSessionsOfUser, { params: { userId: 'f'.repeat(24) } }),
    userNotFound,
  );
});

test('a funding key works once, for its user, for ten minutes', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const issue = async () =>
    (await admin.call(issueFundingKey, { params: { userId: ada.id } })).data.fundingKey as string;
  const spend = (member: typeof ada, password: string) =>
    member.client.attempt(validateFundingKey, { body: { password } });
  const key = await issue();
  assertRefused(await spend(ben, key), invalidFundingKey);
  const both = await Promise.all([spend(ada, key), spend(ada, key)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
  assertRefused(await spend(ada, 'nonsense'), invalidFundingKey);
  const replaced = await issue();
  const current = await issue();
  assertRefused(await spend(ada, replaced), invalidFundingKey);
  platform.clock.advance(10 * 60_000);
  assertRefused(await spend(ada, current), invalidFundingKey);
});

test('administrators see which purchases open which platform, and are warned of those that open none', async () => {
  const { data } = await admin.call(listPlatforms);
  assert.deepEqual(
    data.map(({ platform, skus }) => [platform, skus.length]),
    [
      ['app', 6],
      ['livestream', 6],
      ['scanners', 0],
      ['web', 0],
      ['backoffice', 0],
    ],
  );
  const days = new Map(data.flatMap(({ skus }) => skus.map((one) => [one.sku, one.days] as const)));
  assert.deepEqual([days.get('XHSET303'), days.get('DSAS408'), days.get('XHM102')], [365, 7, 30]);
  for (const { platform: opened, skus } of data)
    for (const { sku } of skus) {
      const member = await platform.newMember();
      assert.equal((await bought(member.id, sku, 0)).data.warning, null);
      assert.equal((await signIn(member.email, opened)).status, 200, `${sku} opens ${opened}`);
    }
  const stranger = await platform.newMember();
  for (const sku of ['FOO', 'xhset101', 'FREEACCESS']) {
    const { status, data: purchase } = await bought(stranger.id, sku, 0);
    assert.deepEqual([status, purchase.warning], [201, `The SKU ${sku} opens no platform`]);
  }
  assert.equal((await signIn(stranger.email, 'app')).status, 403);
});

test('a purchase of a member who is being deleted is not recorded', async () => {
  const ada = await platform.newMember();
  let recorded: ReturnType<typeof admin.attempt> | undefined;
  await holding(platform.database, async (tx) => {
    await tx.execute('update identity.user set deleted_at = now() where id = $1', [ada.id]);
    recorded = untilAvailable(() =>
      admin.attempt(recordPurchase, {
        params: { userId: ada.id },
        body: { sku: 'XHSET101', product_name: 'A month', last_purchased_date: '2026-01-01' },
      }),
    );
    await until(
      async () => (await platform.database.count('select count(*) from pg_locks where not granted')) > 0,
      'the record waits',
    );
  });
  assertRefused(await (recorded as NonNullable<typeof recorded>), userNotFound);
  const kept = 'select count(*) from identity.purchase where user_id = $1';
  assert.equal(await platform.database.count(kept, [ada.id]), 0);
});
