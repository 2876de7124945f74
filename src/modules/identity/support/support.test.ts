import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createUser,
  endSessionOfUser,
  forgotPassword,
  getAccessOfUser,
  getOverviewOfUser,
  getProfile,
  listAudit,
  listOwnAccess,
  listSessionsOfUser,
  recordPurchase,
  sendPasswordReset,
  signIn,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import { userNotFound } from '../contract.ts';
import { sessionNotFound } from '../sessions/sessions.ts';

const platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.1' });
const { admin, client } = platform;
const NOBODY = 'f'.repeat(24);

const accessOf = async (userId: string) => {
  const { data } = await admin.call(getAccessOfUser, { params: { userId } });
  return Object.fromEntries(data.map(({ platform: name, ...rest }) => [name, rest]));
};
const buy = (userId: string, sku: string, ageDays: number) =>
  admin.call(recordPurchase, {
    params: { userId },
    body: {
      sku,
      product_name: sku,
      last_purchased_date: new Date(platform.clock.now() - ageDays * 86_400_000).toISOString(),
    },
  });

test('access says on which platforms a member can sign in, by which purchase and until when', async () => {
  const ada = await platform.newMember();
  const none = await accessOf(ada.id);
  assert.deepEqual([none.web?.allowed, none.web?.reason, none.web?.acceptedSkus], [true, 'ok', []]);
  assert.deepEqual([none.app?.allowed, none.app?.reason, none.app?.sku], [false, 'no_sku', null]);
  assert.ok(none.app?.acceptedSkus.includes('XHSET101'));

  await buy(ada.id, 'XHSET101', 31);
  await buy(ada.id, 'FREEACCESS', 1);
  const late = await accessOf(ada.id);
  assert.deepEqual([late.app?.reason, late.app?.sku], ['expired', 'XHSET101']);
  assert.ok(late.app?.until && new Date(late.app.until).getTime() < platform.clock.now());

  await buy(ada.id, 'XHSET202', 31);
  const now = await accessOf(ada.id);
  assert.deepEqual([now.app?.allowed, now.app?.reason, now.app?.sku], [true, 'ok', 'XHSET202']);
  assert.equal(
    (await client.attempt(signIn, { body: { email: ada.email, password: PASSWORD, platform: 'app' } }))
      .status,
    200,
    'signing in agrees',
  );
});

test('a purchase of the future is not recorded, except of a day ahead for clocks that differ', async () => {
  const ada = await platform.newMember();
  const record = (aheadMs: number) =>
    admin.raw('POST', `/v1/admin/auth/users/${ada.id}/purchases`, {
      sku: 'XHSET101',
      product_name: 'Essentials',
      last_purchased_date: new Date(platform.clock.now() + aheadMs).toISOString(),
    });
  const refused = await record(25 * HOUR_MS);
  assertInvalid(refused);
  assert.deepEqual(
    refused.body.errors?.map(({ field }: { field: string }) => field),
    ['last_purchased_date'],
  );
  assert.equal((await record(23 * HOUR_MS)).status, 201);
});

test('members see their own access, also to a platform that a purchase no longer opens', async () => {
  const ada = await platform.newMember();
  await buy(ada.id, 'XHSET101', 31);
  const { data } = await ada.client.call(listOwnAccess);
  const app = data.find(({ platform: name }) => name === 'app');
  assert.deepEqual([app?.allowed, app?.reason, app?.sku], [false, 'expired', 'XHSET101']);
  assert.ok(data.some(({ platform: name, allowed }) => name === 'web' && allowed));
});

test('access says that an account is deactivated or throttled', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  assert.equal((await accessOf(ada.id)).web?.reason, 'inactive');

  // Nobody has signed in to this account yet, so that every address is unknown.
  const email = newEmail();
  const body = { email, firstName: 'Ben', lastName: 'Bit', password: PASSWORD };
  const { data: ben } = await admin.call(createUser, { body });
  const guess = (address: number) =>
    client
      .with({ 'x-forwarded-for': `198.51.100.${address}` })
      .attempt(signIn, { body: { email, password: 'a wrong guess', platform: 'web' } });
  for (let attempt = 0; attempt < 49; attempt++) await guess(Math.floor(attempt / 9));
  for (const _ of [1, 2]) assert.equal((await accessOf(ben.id)).web?.reason, 'ok', 'asking uses none up');
  await guess(99);
  assert.equal((await accessOf(ben.id)).web?.reason, 'throttled');
  assertRefused(await admin.attempt(getAccessOfUser, { params: { userId: NOBODY } }), userNotFound);
});

test("a member's overview says from where sign-ins are refused after too many failures, and until when", async () => {
  const ada = await platform.newMember();
  const overview = async () => (await admin.call(getOverviewOfUser, { params: { userId: ada.id } })).data;
  const body = { email: ada.email, password: 'wrong', platform: 'web' as const };
  const guess = (address: string) => client.with({ 'x-forwarded-for': address }).attempt(signIn, { body });
  for (let tries = 0; tries < 10; tries++) assert.equal((await guess('203.0.113.7')).status, 401);
  assert.deepEqual((await overview()).throttledSignIns, []);
  assert.equal((await guess('203.0.113.7')).status, 429);
  const [first, ...others] = (await overview()).throttledSignIns;
  assert.deepEqual([first?.address, others], ['203.0.113.7', []]);
  const lasts = Date.parse(String(first?.until)) - Date.parse(String(first?.since));
  assert.ok(lasts > 0 && lasts <= 15 * MINUTE_MS, String(lasts));
  assert.equal((await accessOf(ada.id)).web?.reason, 'ok', 'from elsewhere they can sign in');
  await guess('203.0.113.7');
  assert.equal((await overview()).throttledSignIns[0]?.since, first?.since, 'since the first');
});

test('one session ends at once, with the reason in the log, and the others continue', async () => {
  const ada = await platform.newMember();
  const other = await client.call(signIn, {
    body: { email: ada.email, password: PASSWORD, platform: 'web', device: 'tablet' },
  });
  const sessions = (await admin.call(listSessionsOfUser, { params: { userId: ada.id } })).data;
  const sessionId = sessions.find(({ device }) => device === 'tablet')?.id ?? '';
  const params = { userId: ada.id, sessionId };
  const { data } = await admin.call(endSessionOfUser, { params, body: { reason: 'Lost' } });
  assert.deepEqual(data, { sessionsEnded: 1 });
  assertRefused(await client.as(other.data.accessToken).attempt(getProfile), invalidToken);
  assert.equal((await ada.client.attempt(getProfile)).status, 200);
  assertRefused(await admin.attempt(endSessionOfUser, { params }), sessionNotFound, 'it has ended');
  const ben = await platform.newMember();
  const [bens] = (await admin.call(listSessionsOfUser, { params: { userId: ben.id } })).data;
  assertRefused(
    await admin.attempt(endSessionOfUser, { params: { ...params, sessionId: bens?.id ?? '' } }),
    sessionNotFound,
    "somebody else's",
  );
  const log = (await admin.call(listAudit, { query: { target: ada.id, action: 'user.sessions-ended' } }))
    .data;
  assert.deepEqual(
    log.map(({ reason }) => reason),
    ['Lost'],
  );
});

test('an administrator has a reset code sent, two minutes apart', async () => {
  const ada = await platform.newMember();
  const params = { userId: ada.id };
  const { status } = await admin.call(sendPasswordReset, { params, body: { reason: 'By telephone' } });
  assert.equal(status, 202);
  assert.match((await platform.mailTo(ada.email, 'email.password-reset')).text, /\b\d{6}\b/);
  const again = await admin.attempt(sendPasswordReset, { params });
  assert.deepEqual([again.status, again.body.error], [429, 'RESET_LIMIT_EXCEEDED']);
  const log = (await admin.call(listAudit, { query: { target: ada.id } })).data;
  assert.deepEqual(
    log.map(({ action, reason }) => [action, reason]),
    [['user.password-reset-sent', 'By telephone']],
  );
});

test('an administrator has a reset code sent although somebody has used up the requests of the day', async () => {
  const ada = await platform.newMember();
  const forgot = () => client.attempt(forgotPassword, { body: { email: ada.email } });
  assert.equal((await forgot()).status, 200);
  await platform.database.execute(
    `update identity.password_reset set requests_on_day = 5, requested_at = requested_at - interval '3 minutes'
     where email = $1`,
    [ada.email],
  );
  assert.equal((await forgot()).status, 429);
  const send = () => admin.attempt(sendPasswordReset, { params: { userId: ada.id } });
  assert.deepEqual([(await send()).status, (await send()).status], [202, 429]);
});
