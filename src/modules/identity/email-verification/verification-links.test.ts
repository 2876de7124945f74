import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createUser,
  forgotPassword,
  getProfile,
  getUser,
  listAudit,
  resetPassword,
  signIn,
  signUp,
  verifyEmail,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { addKey, trySignIn } from '../../../../test/support/authenticator.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { addApp } from '../../../../test/support/factors.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { passkeyRejected } from '../passkeys/passkeys.ts';

// Whoever signs up with the address of somebody else loses the account when that person, asked by the page, says so.

const platform = await startPlatform({ VERIFIED_EMAIL: 'money', TRUSTED_PROXIES: '127.0.0.0/8' });
const { client, admin } = platform;
const HERE = { 'x-forwarded-for': '203.0.113.5' };
const ELSEWHERE = { 'x-forwarded-for': '198.51.100.9' };
const NEXT = 'the password of the owner';

/** Signs up, and returns the account with what was mailed to its address. */
async function signedUp(email = newEmail()) {
  const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'L', platform: 'web' as const };
  const { data } = await client.with(HERE).call(signUp, { body });
  const { text } = await platform.mailTo(email, 'email.verification');
  const link = /https?:\S+verify-email\/link\?token=[\w-]+/.exec(text)?.[0] ?? '';
  const token = new URL(link).searchParams.get('token') ?? '';
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  return { id: data.user.id, email, client: client.as(data.accessToken), link, token, code };
}
type Account = Awaited<ReturnType<typeof signedUp>>;

/** Opens the page of a link, or presses the button of its form that sends these fields. */
const page = async ({ link }: Account, from: object, pressed?: Record<string, string>) => {
  const form = pressed && { method: 'POST', body: new URLSearchParams(pressed) };
  const answer = await fetch(link, { ...form, headers: { accept: 'text/html', ...from } });
  return `${answer.status} ${await answer.text()}`;
};
const isVerified = async ({ id }: Account) =>
  (await admin.call(getUser, { params: { userId: id } })).data.emailVerified;
const trySignInWith = (email: string, password: string) =>
  client.attempt(signIn, { body: { email, password, platform: 'web' } });

test('the owner of an address who says that they did not sign up gets the account, and the stranger loses it', async () => {
  const stranger = await signedUp();
  const { email } = stranger;
  const { made } = await addKey(stranger.client);
  const asked = await page(stranger, ELSEWHERE);
  assert.match(asked, /^200 .*Did you sign up.*name="access" value="keep".*name="access" value="end"/s);
  assert.equal((await stranger.client.attempt(getProfile)).status, 200, 'nothing has changed');
  assert.match(await page(stranger, ELSEWHERE, { access: 'end' }), /^200 .*former password no longer works/s);
  assert.equal(await isVerified(stranger), true);
  assertRefused(await stranger.client.attempt(getProfile), invalidToken);
  assertRefused(await trySignInWith(email, PASSWORD), authenticationFailed);
  assertRefused(await trySignIn(client, made), passkeyRejected);
  const query = { target: stranger.id, action: 'user.access-ended' };
  assert.equal((await admin.call(listAudit, { query })).data.length, 1);
  const removal = { target: stranger.id, action: 'user.factors-removed' };
  const [removed] = (await admin.call(listAudit, { query: removal })).data;
  assert.match(removed?.reason ?? '', /said that they had not signed up/);
  await platform.mailTo(email, 'email.factors-changed', /No, make the account mine/);

  await client.call(forgotPassword, { body: { email } });
  const { text } = await platform.mailTo(email, 'email.password-reset');
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  await client.call(resetPassword, { body: { email, code, newPassword: NEXT } });
  const owner = await trySignInWith(email, NEXT);
  assert.equal(owner.status, 200);
  const again = await page(stranger, ELSEWHERE, { access: 'end' });
  assert.match(again, /^200 .*former password no longer works/s, 'the answer of the first time');
  assert.equal((await client.as(owner.data?.accessToken ?? '').attempt(getProfile)).status, 200);
  assert.equal((await trySignInWith(email, NEXT)).status, 200, 'the password of the owner stays');
});

test('whoever says that they signed up keeps the account, from whatever network', async () => {
  const [near, far, coded] = [await signedUp(), await signedUp(), await signedUp()];
  assert.match(await page(near, HERE), /^200 .*Verify your e-mail address\?/s);
  assert.match(await page(near, HERE, {}), /^200 .*You can close this page/s);
  assert.match(await page(far, ELSEWHERE, { access: 'keep' }), /^200 .*You can close this page/s);
  await coded.client.call(verifyEmail, { body: { code: coded.code } });
  for (const account of [near, far, coded]) {
    assert.equal(await isVerified(account), true);
    assert.equal((await account.client.attempt(getProfile)).status, 200);
    assert.equal((await trySignInWith(account.email, PASSWORD)).status, 200);
  }
});

test('a program with the token of a link chooses as the page does, and a code ends nothing', async () => {
  const [kept, ended] = [await signedUp(), await signedUp()];
  const verify = (body: TypesOf<typeof verifyEmail>['body'], by = client.with(ELSEWHERE)) =>
    by.attempt(verifyEmail, { body });
  assert.deepEqual((await verify({ token: kept.token })).data, { emailVerified: true });
  assert.equal((await kept.client.attempt(getProfile)).status, 200);
  assertInvalid(await verify({ code: ended.code, access: 'end' }, ended.client), 'access');
  assert.equal(await isVerified(ended), false);
  const { data } = await verify({ token: ended.token, access: 'end' });
  assert.deepEqual(data, { emailVerified: true, accessEnded: true });
  assertRefused(await ended.client.attempt(getProfile), invalidToken);
});

test('an account that an administrator made keeps the password that its owner was given', async () => {
  const email = newEmail();
  await admin.call(createUser, { body: { email, password: PASSWORD, firstName: 'A', lastName: 'B' } });
  const { text } = await platform.mailTo(email, 'email.verification');
  const link = /https?:\S+verify-email\/link\?token=[\w-]+/.exec(text)?.[0] ?? '';
  const body = new URLSearchParams({ access: 'end' });
  const headers = { accept: 'text/html', ...ELSEWHERE };
  const answer = await fetch(link, { method: 'POST', headers, body });
  assert.match(
    `${answer.status} ${await answer.text()}`,
    /^200 .*access to the account has not been changed/s,
  );
  assert.equal((await trySignInWith(email, PASSWORD)).status, 200);
});

test('of many who end the access at once one does, and all are told that it has ended', async () => {
  const stranger = await signedUp();
  const { token } = stranger;
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => client.with(ELSEWHERE).call(verifyEmail, { body: { token, access: 'end' } })),
  );
  assert.deepEqual(
    answers.map(({ data }) => data.accessEnded),
    [true, true, true, true],
  );
  const query = { target: stranger.id, action: 'user.access-ended' };
  assert.equal((await admin.call(listAudit, { query })).data.length, 1);
});

test('a yes by the link proves nothing of whoever signed up: a later no, or a reset, still ends their access', async () => {
  const [ended, reset] = [await signedUp(), await signedUp()];
  for (const account of [ended, reset]) {
    await addApp(platform, account.client);
    assert.match(await page(account, ELSEWHERE, { access: 'keep' }), /^200 .*You can close this page/s);
    assert.equal(await isVerified(account), true);
  }
  assert.match(await page(ended, ELSEWHERE, { access: 'end' }), /^200 .*former password no longer works/s);
  assertRefused(await ended.client.attempt(getProfile), invalidToken);

  await client.call(forgotPassword, { body: { email: reset.email } });
  const { text } = await platform.mailTo(reset.email, 'email.password-reset');
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  await client.call(resetPassword, { body: { email: reset.email, code, newPassword: NEXT } });
  const owner = await trySignInWith(reset.email, NEXT);
  assert.equal(owner.status, 200, 'the authenticator app of whoever signed up is gone');
  const after = await page(reset, ELSEWHERE, { access: 'end' });
  assert.match(
    after,
    /^200 .*access to the account has not been changed/s,
    'the reset has proved the address',
  );
  assert.equal((await client.as(owner.data?.accessToken ?? '').attempt(getProfile)).status, 200);
});

test('the code proves who signed up also after the link, and a wrong one proves nothing', async () => {
  const [right, wrong] = [await signedUp(), await signedUp()];
  for (const account of [right, wrong]) await page(account, ELSEWHERE, { access: 'keep' });
  await right.client.call(verifyEmail, { body: { code: right.code } });
  const other = String((Number(wrong.code) + 1) % 1_000_000).padStart(6, '0');
  for (let tries = 0; tries < 5; tries++) await wrong.client.call(verifyEmail, { body: { code: other } });
  await wrong.client.call(verifyEmail, { body: { code: wrong.code } });
  const end = ({ token }: Account) => client.call(verifyEmail, { body: { token, access: 'end' } });
  assert.deepEqual((await end(right)).data, { emailVerified: true, accessEnded: false });
  assert.deepEqual((await end(wrong)).data, { emailVerified: true, accessEnded: true });
});
