import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  forgotPassword,
  getProfile,
  resetPassword,
  signIn as signInOperation,
} from '../../../sdk/src/index.ts';
import { incompressible } from '../../../test/support/chance.ts';
import { type Answer, newEmail, PASSWORD } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidToken } from '../../kernel/operations/access.ts';
import { invalidCode } from '../../modules/identity/passwords/password-resets.ts';
import { SANDBOX_BACKOFFICE_KEY } from '../../sandbox/index.ts';
import { authenticationFailed, emailTaken } from './port.ts';

const platform = await startPlatform({ CUSTOMER_DIRECTORY: 'backoffice', LOG_LEVEL: 'silent' });
const { client } = platform;

async function control(path: string, method: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${platform.sandboxUrl}/control/backoffice${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
}
const setMode = (mode: string) => platform.standIn('backoffice', { mode });
const customer = (email: string, more: object = {}) =>
  control('/customers', 'PUT', { email, password: PASSWORD, firstName: 'Ada', lastName: 'L', ...more });
const signIn = (
  email: string,
  password = PASSWORD,
  on: 'backoffice' | 'web' | 'app' | 'livestream' | 'scanners' = 'web',
) => client.post('/v1/auth/signin', { email, password, platform: on });
async function tokensOf(email: string): Promise<{ accessToken: string; refreshToken: string }> {
  const login = await fetch(`${platform.sandboxUrl}/backoffice/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_BACKOFFICE_KEY}` },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { data } = (await login.json()) as { data: { accessToken: string; refreshToken: string } };
  return { accessToken: data.accessToken, refreshToken: data.refreshToken };
}
const daysAgo = (days: number) => new Date(platform.clock.now() - days * 86_400_000).toISOString();

test('a backoffice customer who signs in gets an account at the first sign-in only', async () => {
  const email = newEmail();
  await customer(email, { id: 'C-77' });
  const first = await signIn(email);
  assert.equal(first.status, 200);
  assert.deepEqual(
    [first.data.user.email, first.data.user.customerId, first.data.user.firstName],
    [email, 'C-77', 'Ada'],
  );
  const second = await signIn(email);
  assert.equal(second.data.user.id, first.data.user.id);
  const wrong = await signIn(email, 'wrong');
  assertRefused(wrong, authenticationFailed);
  assertRefused(await signIn(newEmail()), authenticationFailed);
});

test('products of the backoffice decide about platform access', async () => {
  const email = newEmail();
  const product = (last_purchased_date: string | null) => ({
    sku: 'XHSET202',
    product_name: 'Pro',
    last_purchased_date,
  });
  await customer(email, { products: [product(daysAgo(91)), product(null), { nonsense: true }] });
  assert.equal(
    (await signIn(email, PASSWORD, 'app')).body.message,
    'No access to app. A valid subscription (SKU) is required',
  );
  await customer(email, { products: [product(daysAgo(89))] });
  assert.equal((await signIn(email, PASSWORD, 'app')).status, 200);
});

test('sign-up, password change and reset are carried out in the backoffice', async () => {
  const email = newEmail();
  const draft = { email, password: PASSWORD, firstName: 'New', lastName: 'One', platform: 'web' as const };
  const { status, data } = await client.post('/v1/auth/signup', draft);
  assert.equal(status, 201);
  assert.match(data.user.customerId, /^C-/);
  assertRefused(await client.post('/v1/auth/signup', draft), emailTaken);
  const next = 'quite another password';
  const changed = await client
    .as(data.accessToken)
    .post('/auth/change-password', { currentPassword: PASSWORD, newPassword: next });
  assert.equal(changed.status, 200);
  assert.equal((await signIn(email, next)).status, 200);
  assertRefused(await signIn(email), authenticationFailed);
});

test('a password reset without the right code changes nothing in the backoffice', async () => {
  const email = newEmail();
  await customer(email);
  await signIn(email);
  await client.call(forgotPassword, { body: { email } });
  const code = /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const next = 'set by the right code only';
  const reset = (tried: string) =>
    client.attempt(resetPassword, { body: { email, code: tried, newPassword: next } });
  assertRefused(await reset(wrong), invalidCode);
  assertRefused(await signIn(email, next), authenticationFailed);
  assert.equal((await signIn(email)).status, 200);
  await setMode('fail');
  assert.equal((await reset(code)).status, 503, 'the backoffice is down, and the code is not spent');
  await setMode('ok');
  assert.equal((await reset(code)).status, 200);
  assert.equal((await signIn(email, next)).status, 200);
});

test('tokens of the backoffice allow single sign-on', async () => {
  const email = newEmail();
  await customer(email, { id: 'C-sso' });
  const { data: account } = await signIn(email);
  const { accessToken, refreshToken } = await tokensOf(email);
  const request = { customerId: 'C-sso', platform: 'web' as const, accessToken, refreshToken };
  const signedIn = await client.post('/v1/auth/signin-sso', request);
  assert.deepEqual([signedIn.status, signedIn.data.user.id], [200, account.user.id]);
  const ours = { accessToken: account.accessToken, refreshToken: account.refreshToken };
  assertRefused(await client.post('/v1/auth/signin-sso', { ...request, ...ours }), authenticationFailed);
  assertRefused(
    await client.post('/v1/auth/signin-sso', { ...request, customerId: 'C-other' }),
    authenticationFailed,
  );
});

test('single sign-on creates the account of a new customer with platform access', async () => {
  const request = async (
    email: string,
    on: 'backoffice' | 'web' | 'app' | 'livestream' | 'scanners',
    more: object,
  ) => client.post('/v1/auth/signin-sso', { platform: on, ...(await tokensOf(email)), ...more });
  const email = newEmail();
  await customer(email, { id: 'C-new', products: null });
  assert.equal((await request(email, 'web', { customerId: 'C-another' })).status, 401);
  assert.equal((await request(email, 'web', { userId: 'f'.repeat(24) })).status, 401);
  assert.equal((await request(email, 'app', { customerId: 'C-new' })).status, 403, 'no products are none');
  const found = await platform.database.execute('select 1 from identity.user where email = $1', [email]);
  assert.equal(found, 0, 'nothing is made for who is refused');
  const first = await Promise.all([1, 2, 3].map(() => request(email, 'web', { customerId: 'C-new' })));
  for (const { status, data } of first) {
    assert.deepEqual([status, data.user.email, data.user.permissions], [200, email, []]);
    assert.equal(data.user.id, first[0]?.data.user.id);
  }
  assert.equal((await signIn(email, PASSWORD, 'app')).status, 403);
  assert.equal((await signIn(email)).data.user.id, first[0]?.data.user.id);
});

test('a customer with an invalid e-mail is an upstream fault and gets no account', async () => {
  const email = '<odd@example.com>';
  await customer(email);
  assert.equal((await signIn(email)).status, 503);
});

test('a customer with an oversized id is an upstream fault', async () => {
  const email = newEmail();
  await customer(email, { id: incompressible(3_000) });
  assert.equal((await signIn(email)).status, 503);
});

test('concurrent first sign-ins of a customer create one account', async () => {
  const email = newEmail();
  await customer(email);
  const all = await Promise.all(Array.from({ length: 6 }, () => signIn(email)));
  assert.deepEqual([...new Set(all.map(({ status, data }) => `${status} ${data?.user.id}`))].length, 1);
});

test('a password change in the backoffice ends sign-ins with the old password', async () => {
  const email = newEmail();
  await customer(email);
  const member = client.as((await signIn(email)).data.accessToken);
  let isOver = false;
  const answers: Answer<{ accessToken: string } | undefined>[] = [];
  const lanes = Array.from({ length: 8 }, async (_, place) => {
    const request = { email, password: PASSWORD, platform: 'web' as const, device: `${place}` };
    while (!isOver) answers.push(await client.attempt(signInOperation, { body: request }));
  });
  const passwords = { currentPassword: PASSWORD, newPassword: 'the next one' };
  const changed = await member.call(changePassword, { body: passwords });
  isOver = true;
  assert.equal(changed.status, 200);
  await Promise.all(lanes);
  for (const { status, data } of answers) {
    if (data) assertRefused(await client.as(data.accessToken).attempt(getProfile), invalidToken);
    else assert.ok(status === 401 || status === 429, `${status}`);
  }
});

test('an administrator known to the backoffice is created here with the password from there', async () => {
  const email = newEmail();
  await customer(email);
  const { isNew } = await platform.platform.identity.ensureAdministrator({
    email,
    password: 'what the configuration says',
    firstName: 'First',
    lastName: 'Administrator',
  });
  assert.equal(isNew, true);
  const { data } = await signIn(email);
  assert.deepEqual(data.user.permissions, ['admin']);
});

test('while the backoffice fails, sign-ins are 503 and signed-in members work on; then it recovers', {
  timeout: 600_000,
}, async () => {
  const email = newEmail();
  await customer(email);
  const member = client.as((await signIn(email)).data.accessToken);
  for (const mode of ['fail', 'nonsense', 'hang']) {
    await setMode(mode);
    const { status, body } = await signIn(email);
    assert.deepEqual([status, body.error], [503, 'SERVICE_UNAVAILABLE'], mode);
    assert.equal((await member.call(getProfile)).status, 200);
  }
  await setMode('fail');
  for (let fault = 0; fault < 5; fault++) await signIn(email);
  await setMode('ok');
  assert.equal((await signIn(email)).status, 503, 'the circuit is open: it is not even asked');
  platform.clock.advance(10_001);
  assert.equal((await signIn(email)).status, 200);
});
