import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignPermissions, listAudit, listSessions } from '../../../sdk/src/index.ts';
import { addKey, newChallenge } from '../../../test/support/authenticator.ts';
import { newEmail, PASSWORD } from '../../../test/support/client.ts';
import { ADMIN, ConsoleBrowser } from '../../../test/support/console.ts';
import { withApp } from '../../../test/support/factors.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';

const platform = await startPlatform();
const { clock, url } = platform;
const USERS = '/console/api/v1/admin/auth/users?limit=1';

/** A browser in which the first administrator is signed in. */
async function signedIn(): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(url);
  const { status } = await browser.signIn(ADMIN.email, ADMIN.password);
  assert.equal(status, 200);
  return browser;
}

test('an administrator signs in, calls operations by the cookie alone, and signs out', async () => {
  const browser = new ConsoleBrowser(url);
  assert.equal((await browser.send('GET', '/console/session')).body.data?.user, null);
  assert.equal((await browser.send('GET', USERS)).body.error, 'CONSOLE_SESSION_ENDED');
  const { body, headers } = await browser.signIn(ADMIN.email, ADMIN.password);
  assert.equal(body.data?.user?.email, ADMIN.email);
  assert.match(headers.get('set-cookie') ?? '', /; HttpOnly; SameSite=Strict$/);
  assert.ok(!JSON.stringify(body).includes('eyJ'), 'no token reaches the browser');
  assert.equal((await browser.send('GET', USERS)).status, 200);
  const { cookie } = browser;
  assert.equal((await browser.send('DELETE', '/console/session')).status, 200);
  assert.equal(browser.cookie, 'console=');
  assert.equal((await browser.send('GET', USERS, undefined, { cookie })).body.error, 'CONSOLE_SESSION_ENDED');
});

test('other credentials count for nothing below /console/api', async () => {
  const browser = new ConsoleBrowser(url);
  const headers = {
    authorization: platform.admin.headers.authorization,
    'x-api-key': platform.client.headers['x-api-key'],
  };
  assert.equal((await browser.send('GET', USERS, undefined, headers)).status, 401);
});

test('nobody signs in or calls an operation of API keys below /console/api without one', async () => {
  const browser = new ConsoleBrowser(url);
  const credentials = { ...ADMIN, platform: 'web' };
  for (const [method, path, body] of [
    ['POST', '/v1/auth/signin', credentials],
    [
      'POST',
      '/v1/auth/signup',
      { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
    ],
    ['POST', '/v1/auth/refresh-token', { refreshToken: 'x' }],
    ['GET', '/v1/livestreams/public/live', undefined],
  ] as const) {
    const answer = await browser.send(method, `/console/api${path}`, body, { 'x-console-inside': 'x' });
    assert.deepEqual([answer.status, answer.body.error], [401, 'CONSOLE_SESSION_ENDED'], path);
  }
  const options = await browser.send('POST', '/console/api/v1/auth/passkeys/signin-options', {});
  assert.equal(options.status, 200);
});

test('requests that a page of another site could make are refused', async () => {
  const browser = await signedIn();
  const lock = ['PATCH', `/console/api/v1/wallets/admin/${platform.adminId}`, { locked: true }] as const;
  for (const headers of [
    { 'x-console': undefined },
    { origin: 'https://evil.example' },
    { origin: undefined },
    { origin: 'null' },
    { origin: `${url}.evil.example` },
  ]) {
    const { status, body } = await browser.send(...lock, headers);
    assert.deepEqual([status, body.error], [403, 'NOT_FROM_CONSOLE'], JSON.stringify(headers));
  }
  assert.equal((await browser.send('GET', USERS, undefined, { 'x-console': undefined })).status, 403);
  assert.equal((await browser.send('POST', '/console/session', ADMIN, { origin: undefined })).status, 403);
});

test('a wrong password is refused with the failure of the API, and a forged cookie is ignored', async () => {
  const browser = new ConsoleBrowser(url);
  const { status, body } = await browser.signIn(ADMIN.email, 'not the password');
  assert.deepEqual([status, body.error, browser.cookie], [401, 'AUTHENTICATION_FAILED', '']);
  assert.equal((await browser.send('POST', '/console/session', { email: 7 })).status, 422);
  for (const cookie of ['console=', 'console=e30', `console=${'A'.repeat(200)}`, 'console=%00', 'console'])
    assert.equal((await browser.send('GET', USERS, undefined, { cookie })).status, 401, cookie);
});

test('an administrator signs in by a passkey, which signs in once', async () => {
  const operator = await platform.newMember();
  const params = { userId: operator.id };
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['admin'] } });
  const { made } = await addKey(operator.client);
  const passkey = made.get(await newChallenge(operator.client));
  const browser = new ConsoleBrowser(url);
  const { status, body } = await browser.send('POST', '/console/session', { passkey });
  assert.deepEqual([status, body.data?.user?.email], [200, operator.email]);
  assert.equal((await browser.send('GET', USERS)).status, 200);
  const again = await new ConsoleBrowser(url).send('POST', '/console/session', { passkey });
  assert.deepEqual([again.status, again.body.error], [401, 'PASSKEY_REJECTED']);
  for (const wrong of [null, 7, [], {}, { id: 'A' }])
    assert.equal((await browser.send('POST', '/console/session', { passkey: wrong })).status, 422);
});

test('the sign-in learns whether there are passkeys', async () => {
  const { body } = await new ConsoleBrowser(url).send('GET', '/console/session');
  assert.deepEqual(body.data, { user: null, environment: 'development', offersPasskeys: true });
});

test('a member without permissions cannot sign in, and no session of theirs stays', async () => {
  const ada = await platform.newMember();
  const browser = new ConsoleBrowser(url);
  const { status, body } = await browser.signIn(ada.email, PASSWORD);
  assert.deepEqual([status, body.error, browser.cookie], [403, 'FORBIDDEN', '']);
  const { data } = await ada.client.call(listSessions);
  assert.deepEqual(
    data.filter(({ platform: where }) => where === 'backoffice'),
    [],
  );
});

test('two browsers of one administrator are signed in at the same time', async () => {
  const [first, second] = [await signedIn(), await signedIn()];
  for (const browser of [first, second]) assert.equal((await browser.send('GET', USERS)).status, 200);
});

test('half an hour without use ends a sign-in; polls are no use, and other requests renew it', async () => {
  const browser = await signedIn();
  const poll = { 'x-console': 'poll' };
  clock.advance(20 * MINUTE_MS);
  assert.equal((await browser.send('GET', USERS)).status, 200);
  clock.advance(20 * MINUTE_MS);
  assert.equal((await browser.send('GET', USERS, undefined, poll)).status, 200);
  clock.advance(11 * MINUTE_MS);
  assert.equal((await browser.send('GET', USERS, undefined, poll)).status, 401);
});

test('a sign-in ends after twelve hours of use', async () => {
  const browser = await signedIn();
  for (let minutes = 0; minutes < 12 * 60; minutes += 20) {
    assert.equal((await browser.send('GET', USERS)).status, 200);
    clock.advance(20 * MINUTE_MS);
  }
  clock.advance(MINUTE_MS);
  assert.equal((await browser.send('GET', USERS)).status, 401);
});

test('requests that move money or change rights ask for the password again after five minutes', async () => {
  await platform.signInAdmin();
  const browser = await signedIn();
  const ada = await platform.newMemberWith(0);
  const fund = () =>
    browser.send(
      'POST',
      '/console/api/v1/wallets/admin/fund',
      { userId: ada.id, amount: 5 },
      { 'idempotency-key': 'one' },
    );
  clock.advance(6 * MINUTE_MS);
  assert.deepEqual([(await fund()).status, (await fund()).body.error], [403, 'PASSWORD_REQUIRED']);
  assert.equal((await browser.send('GET', USERS)).status, 200);
  const wrong = await browser.send('POST', '/console/session/proof', { password: 'a guess' });
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'AUTHENTICATION_FAILED']);
  assert.equal(
    (await browser.send('POST', '/console/session/proof', { password: ADMIN.password })).status,
    200,
  );
  assert.equal((await fund()).status, 201);
});

test('an administrator who is deactivated, or whose session ends, is out at the next request', async () => {
  const browser = await signedIn();
  const admin = await platform.signInAdmin();
  const { data } = await admin.call(listSessions);
  assert.ok(data.some(({ device }) => device.startsWith('console ')));
  await admin.raw('POST', '/v1/auth/signout', {});
  assert.equal((await browser.send('GET', USERS)).body.error, 'CONSOLE_SESSION_ENDED');
  await platform.signInAdmin();
});

test('changes made in the console are recorded in the name of its member', async () => {
  const browser = await signedIn();
  const ada = await platform.newMemberWith(0);
  const { status } = await browser.send('PATCH', `/console/api/v1/wallets/admin/${ada.id}`, {
    locked: true,
  });
  assert.equal(status, 200);
  const admin = await platform.signInAdmin();
  const { data } = await admin.call(listAudit, { query: { target: ada.id } });
  assert.ok(data.some(({ action, actor }) => action.startsWith('wallet.') && actor === platform.adminId));
});

test('an administrator with an authenticator app signs in with a code, and steps up in place of the password', async () => {
  const operator = await platform.newMember();
  const root = await platform.signInAdmin();
  await root.call(assignPermissions, { params: { userId: operator.id }, body: { permissions: ['admin'] } });
  const { app } = await withApp(platform, operator);
  const browser = new ConsoleBrowser(url);
  assert.equal((await browser.signIn(operator.email, PASSWORD)).body.error, 'MFA_REQUIRED');
  const credentials = { email: operator.email, password: PASSWORD, mfaCode: app.newCode() };
  assert.equal((await browser.send('POST', '/console/session', credentials)).status, 200);
  const ada = await platform.newMember();
  const body = { userId: ada.id, amount: 5 };
  const fund = () => browser.send('POST', '/console/api/v1/wallets/admin/fund', body);
  clock.advance(6 * MINUTE_MS);
  assert.equal((await fund()).body.error, 'STEP_UP_REQUIRED');
  const steppedUp = await browser.send('POST', '/console/api/v1/auth/step-up', { mfaCode: app.newCode() });
  assert.equal(steppedUp.status, 200);
  assert.equal((await fund()).status, 201);
});
