import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  forgotPassword,
  getProfile,
  resetPassword,
  signIn,
  signInSso,
  signUp,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import { incompressible } from '../../../test/support/chance.ts';
import { type Answer, newEmail, PASSWORD } from '../../../test/support/client.ts';
import { settled } from '../../../test/support/events.ts';
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
type ClientPlatform = TypesOf<typeof signIn>['body']['platform'];
/** Signs a customer in who must get in. */
const signedIn = async (email: string, password = PASSWORD) =>
  (await client.call(signIn, { body: { email, password, platform: 'web' } })).data;
const trySignIn = (email: string, password = PASSWORD, on: ClientPlatform = 'web') =>
  client.attempt(signIn, { body: { email, password, platform: on } });
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
  const { user } = await signedIn(email);
  assert.deepEqual([user.email, user.customerId, user.firstName], [email, 'C-77', 'Ada']);
  assert.equal((await signedIn(email)).user.id, user.id);
  assertRefused(await trySignIn(email, 'wrong'), authenticationFailed);
  assertRefused(await trySignIn(newEmail()), authenticationFailed);
});

test('a customer whose name would turn the line around signs in, and is shown without what turns it', async () => {
  const email = newEmail();
  await customer(email, { firstName: '\u202eadA\u202c', lastName: '\u2067L\u2069' });
  const { user } = await signedIn(email);
  assert.deepEqual([user.firstName, user.lastName], ['adA', 'L']);
});

test('a customer with a name that no member could have, or a blank id, signs in, and is who they were', async () => {
  const [email, other] = [newEmail(), newEmail()];
  await customer(email, {
    id: 'C-odd',
    firstName: `A\0da\nBcc: ${'\ud83d'}`,
    lastName: '😀'.repeat(200),
  });
  const { user } = await signedIn(email);
  assert.deepEqual([user.firstName, user.customerId], ['A\ufffdda Bcc: \ufffd', 'C-odd']);
  assert.equal([...user.lastName].length, 100);
  assert.equal((await signedIn(email)).user.id, user.id);
  // The sign-in is an event, which would hold up those of everybody.
  await settled(platform.database);
  for (const blank of [email, other]) await customer(blank, { id: ' ', firstName: '\u200b', lastName: '\t' });
  const unnamed = (await signedIn(other)).user;
  assert.deepEqual([unnamed.firstName, unnamed.lastName, unnamed.customerId], ['', '', null]);
  assert.equal((await signedIn(email)).user.id, user.id);
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
    (await trySignIn(email, PASSWORD, 'app')).body.message,
    'No access to app. A valid subscription (SKU) is required',
  );
  const former = Array.from({ length: 600 }, () => product(daysAgo(900)));
  await customer(email, { products: [...former, product(daysAgo(89))] });
  assert.equal((await trySignIn(email, PASSWORD, 'app')).status, 200);
});

test('sign-up, password change and reset are carried out in the backoffice', async () => {
  const email = newEmail();
  const draft = { email, password: PASSWORD, firstName: 'New', lastName: 'One', platform: 'web' as const };
  const { status, data } = await client.call(signUp, { body: draft });
  assert.equal(status, 201);
  assert.match(data.user.customerId ?? '', /^C-/);
  assertRefused(await client.attempt(signUp, { body: draft }), emailTaken);
  const next = 'quite another password';
  const passwords = { currentPassword: PASSWORD, newPassword: next };
  const changed = await client.as(data.accessToken).call(changePassword, { body: passwords });
  assert.equal(changed.status, 200);
  assert.equal((await trySignIn(email, next)).status, 200);
  assertRefused(await trySignIn(email), authenticationFailed);
});

test('a password reset without the right code changes nothing in the backoffice', async () => {
  const email = newEmail();
  await customer(email);
  await signedIn(email);
  await client.call(forgotPassword, { body: { email } });
  const code = /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const next = 'set by the right code only';
  const reset = (tried: string) =>
    client.attempt(resetPassword, { body: { email, code: tried, newPassword: next } });
  assertRefused(await reset(wrong), invalidCode);
  assertRefused(await trySignIn(email, next), authenticationFailed);
  assert.equal((await trySignIn(email)).status, 200);
  await setMode('fail');
  assert.equal((await reset(code)).status, 503, 'the backoffice is down, and the code is not spent');
  await setMode('ok');
  assert.equal((await reset(code)).status, 200);
  assert.equal((await trySignIn(email, next)).status, 200);
});

test('tokens of the backoffice allow single sign-on', async () => {
  const email = newEmail();
  await customer(email, { id: 'C-sso' });
  const account = await signedIn(email);
  const { accessToken, refreshToken } = await tokensOf(email);
  const request = { customerId: 'C-sso', platform: 'web' as const, accessToken, refreshToken };
  const { status, data } = await client.call(signInSso, { body: request });
  assert.deepEqual([status, data.user.id], [200, account.user.id]);
  const ours = { accessToken: account.accessToken, refreshToken: account.refreshToken };
  for (const other of [ours, { customerId: 'C-other' }]) {
    const body = { ...request, ...other };
    assertRefused(await client.attempt(signInSso, { body }), authenticationFailed);
  }
});

test('single sign-on creates the account of a new customer with platform access', async () => {
  const request = async (
    email: string,
    on: ClientPlatform,
    claimed: { userId: string } | { customerId: string },
  ) => client.attempt(signInSso, { body: { platform: on, ...(await tokensOf(email)), ...claimed } });
  const email = newEmail();
  await customer(email, { id: 'C-new', products: null });
  assert.equal((await request(email, 'web', { customerId: 'C-another' })).status, 401);
  assert.equal((await request(email, 'web', { userId: 'f'.repeat(24) })).status, 401);
  assert.equal((await request(email, 'app', { customerId: 'C-new' })).status, 403, 'no products are none');
  const found = await platform.database.execute('select 1 from identity.user where email = $1', [email]);
  assert.equal(found, 0, 'nothing is made for who is refused');
  const first = await Promise.all([1, 2, 3].map(() => request(email, 'web', { customerId: 'C-new' })));
  for (const { status, data } of first) {
    assert.deepEqual([status, data?.user.email, data?.user.permissions], [200, email, []]);
    assert.equal(data?.user.id, first[0]?.data?.user.id);
  }
  assert.equal((await trySignIn(email, PASSWORD, 'app')).status, 403);
  assert.equal((await signedIn(email)).user.id, first[0]?.data?.user.id);
});

test('a customer with an invalid e-mail is an upstream fault and gets no account', async () => {
  const email = '<odd@example.com>';
  await customer(email);
  assert.equal((await trySignIn(email)).status, 503);
});

test('a customer with an id that is too long, or cannot be stored, is an upstream fault', async () => {
  for (const id of [incompressible(3_000), 'C\0-1', 'C\ud800-1']) {
    const email = newEmail();
    await customer(email, { id });
    assert.equal((await trySignIn(email)).status, 503);
  }
});

test('an answer about another customer than the one asked about is an upstream fault', async () => {
  const [victim, email] = [newEmail(), newEmail()];
  await customer(victim, { id: 'C-victim' });
  const { user } = await signedIn(victim);
  await customer(email);
  await setMode('mistaken');
  assert.equal((await trySignIn(email)).status, 503);
  const draft = { email: newEmail(), password: PASSWORD, firstName: 'New', lastName: 'One' };
  assert.equal((await client.attempt(signUp, { body: { ...draft, platform: 'web' } })).status, 503);
  await setMode('ok');
  assert.equal((await signedIn(victim)).user.id, user.id);
  assert.notEqual((await signedIn(email)).user.id, user.id);
});

test('concurrent first sign-ins of a customer create one account', async () => {
  const email = newEmail();
  await customer(email);
  const all = await Promise.all(Array.from({ length: 6 }, () => trySignIn(email)));
  assert.deepEqual([...new Set(all.map(({ status, data }) => `${status} ${data?.user.id}`))].length, 1);
});

test('a password change in the backoffice ends sign-ins with the old password', async () => {
  const email = newEmail();
  await customer(email);
  const member = client.as((await signedIn(email)).accessToken);
  let isOver = false;
  const answers: Answer<{ accessToken: string } | undefined>[] = [];
  const lanes = Array.from({ length: 8 }, async (_, place) => {
    const request = { email, password: PASSWORD, platform: 'web' as const, device: `${place}` };
    while (!isOver) answers.push(await client.attempt(signIn, { body: request }));
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
  assert.deepEqual((await signedIn(email)).user.permissions, ['admin']);
});

test('while the backoffice fails, sign-ins are 503 and signed-in members work on; then it recovers', {
  timeout: 600_000,
}, async () => {
  const email = newEmail();
  await customer(email);
  const member = client.as((await signedIn(email)).accessToken);
  for (const mode of ['fail', 'nonsense', 'hang']) {
    await setMode(mode);
    const { status, body } = await trySignIn(email);
    assert.deepEqual([status, body.error], [503, 'SERVICE_UNAVAILABLE'], mode);
    assert.equal((await member.call(getProfile)).status, 200);
  }
  await setMode('fail');
  for (let fault = 0; fault < 5; fault++) await trySignIn(email);
  await setMode('ok');
  assert.equal((await trySignIn(email)).status, 503, 'the circuit is open, so no request is sent');
  platform.clock.advance(10_001);
  assert.equal((await trySignIn(email)).status, 200);
});
