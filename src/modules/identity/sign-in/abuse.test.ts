import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  deleteOwnAccount,
  getProfile,
  refreshToken,
  signIn as signInOperation,
  signUp,
  stepUp,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { withApp } from '../../../../test/support/factors.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { expiredToken } from '../../../kernel/operations/access.ts';

const platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.0/8' });
const { client } = platform;
const from = (address: string) => client.with({ 'x-forwarded-for': address });
const signIn = (address: string, email: string, password: string) =>
  untilAvailable(() =>
    from(address).attempt(signInOperation, { body: { email, password, platform: 'web', device: address } }),
  );
const QUARTER_MS = 15 * 60_000;
/** An instant just after a window began, so that no window ends during a test. */
const atWindowStart = () =>
  platform.clock.set(Math.ceil(platform.clock.now() / QUARTER_MS) * QUARTER_MS + 1000);

async function newMemberAt(address: string): Promise<string> {
  const email = newEmail();
  await from(address).call(signUp, {
    body: { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  return email;
}

test('password guessing from one address is stopped without locking out the owner elsewhere', async () => {
  atWindowStart();
  const email = await newMemberAt('203.0.113.1');
  const guesses = await Promise.all(Array.from({ length: 30 }, () => signIn('198.51.100.1', email, 'wrong')));
  const statuses = guesses.map(({ status }) => status);
  assert.deepEqual(
    [statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length],
    [10, 20],
  );
  const refused = await signIn('198.51.100.1', email, PASSWORD);
  assert.equal(refused.status, 429, 'even with the right password');
  assert.ok(Number(refused.headers.get('retry-after')) > 60);
  assert.equal((await signIn('203.0.113.1', email, PASSWORD)).status, 200);
  atWindowStart();
  assert.equal((await signIn('198.51.100.1', email, PASSWORD)).status, 200);
});

test('successful sign-ins do not count towards the limit', async () => {
  atWindowStart();
  const email = await newMemberAt('203.0.113.2');
  for (let time = 0; time < 15; time++)
    assert.equal((await signIn('203.0.113.2', email, PASSWORD)).status, 200);
});

test('many concurrent successful sign-ins are not limited', async () => {
  atWindowStart();
  const email = await newMemberAt('203.0.113.4');
  const all = await Promise.all(Array.from({ length: 30 }, () => signIn('198.51.100.4', email, PASSWORD)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
});

test('guessing from many addresses is stopped and cannot lock the owner out', async () => {
  atWindowStart();
  const email = await newMemberAt('203.0.113.3');
  const crowd = Array.from({ length: 60 }, (_, place) => signIn(`192.0.2.${place + 1}`, email, 'wrong'));
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  assert.equal(statuses.filter((one) => one === 401).length, 50);
  assert.equal((await signIn('192.0.2.200', email, PASSWORD)).status, 429);
  assert.equal((await signIn('203.0.113.3', email, PASSWORD)).status, 200, 'from where the owner has been');
});

test('guessing the password of a stolen session is stopped, from however many addresses', async () => {
  atWindowStart();
  const ada = await platform.newMember();
  const change = { currentPassword: 'wrong', newPassword: 'another long one' };
  const statuses: number[] = [];
  for (let place = 1; place <= 6; place++) {
    const thief = ada.client.with({ 'x-forwarded-for': `192.0.2.${place}` });
    statuses.push((await thief.attempt(deleteOwnAccount, { body: { password: 'wrong' } })).status);
    statuses.push((await thief.attempt(changePassword, { body: change })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(400), 429, 429]);
  const { data } = await client.call(signInOperation, {
    body: { email: ada.email, password: PASSWORD, platform: 'web', device: 'of the owner' },
  });
  const body = { password: PASSWORD };
  assert.equal((await client.as(data.accessToken).attempt(deleteOwnAccount, { body })).status, 200);
});

test('whoever knows the password cannot use up the codes that the owner needs', async () => {
  atWindowStart();
  const ada = await withApp(platform, await platform.newMember());
  const signInAs = (address: string, mfaCode: string) =>
    from(address).attempt(signInOperation, {
      body: { email: ada.email, password: PASSWORD, platform: 'web', device: address, mfaCode },
    });
  const guesses: string[] = [];
  for (let place = 1; place <= 6; place++)
    for (let guess = 0; guess < 9; guess++)
      guesses.push(String((await signInAs(`192.0.2.${place}`, '000000')).body.error));
  assert.equal(guesses.filter((error) => error === 'INVALID_MFA_CODE').length, 50);
  const [first, second] = [ada.app.newCode(), ada.app.recoveryCodes[0] as string];
  assert.equal((await signInAs('192.0.2.9', first)).status, 429, 'from a place that is not known');
  const body = { email: ada.email, password: PASSWORD, platform: 'web' as const, mfaCode: first };
  const { data } = await client.call(signInOperation, { body });
  const own = client.as(data.accessToken);
  assert.equal((await own.attempt(stepUp, { body: { mfaCode: second } })).status, 200);
});

test('unknown e-mails are throttled like known ones', async () => {
  atWindowStart();
  const email = newEmail();
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess++)
    statuses.push((await signIn('198.51.100.9', email, 'wrong')).status);
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
});

test('after a leak tokens have expired, and refreshing them keeps the session', async () => {
  const ada = await platform.newMember();
  await platform.platform.identity.rotateSigningKey({ isLeaked: true });
  assertRefused(await ada.client.attempt(getProfile), expiredToken);
  const refreshed = await client.call(refreshToken, { body: { refreshToken: ada.refreshToken } });
  assert.equal((await client.as(refreshed.data.accessToken).attempt(getProfile)).status, 200);
});

test('signing keys rotate without ending sessions, and old keys are removed once their tokens have expired', async () => {
  const ada = await platform.newMember();
  const signIn = () =>
    client.call(signInOperation, {
      body: { email: ada.email, password: PASSWORD, platform: 'web', device: 'x' },
    });
  const kidOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid;
  const kid = await platform.platform.identity.rotateSigningKey();
  const token = (await signIn()).data.accessToken;
  assert.equal(kidOf(token), kid);
  assert.notEqual(kidOf(ada.accessToken), kid);
  assert.equal((await ada.client.call(getProfile)).status, 200);
  platform.clock.advance(2 * 3_600_000);
  await platform.platform.identity.rotateSigningKey();
  const rows = await platform.database.all('select kid from identity.signing_key where retired_at is null');
  assert.ok(!rows.some((row) => row.kid === kidOf(ada.accessToken)));
  assert.ok(
    !JSON.stringify(await platform.database.all('select sealed::text from identity.signing_key')).includes(
      '"d"',
    ),
  );
});
