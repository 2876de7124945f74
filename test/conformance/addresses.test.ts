import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgotPassword, getBalance, signIn, signUp } from '../../sdk/src/index.ts';
import { authenticationFailed } from '../../src/external/directory/port.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';
import { assertRefused } from '../support/refused.ts';

const platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.0/8,::1' });
const { client } = platform;
const from = (address: string) => client.with({ 'x-forwarded-for': address });
/** Tries to sign in from an address, by default with a password that is not the member's. */
const trySignIn = (address: string, email: string, password = 'not the password') =>
  from(address).attempt(signIn, { body: { email, password, platform: 'web' } });

test('unauthenticated callers of a /64 share a limit, and mapped IPv4 counts as IPv4', async () => {
  const now = Date.now();
  platform.clock.now = () => now;
  const left = async (address: string) => {
    const answer = await from(address).with({ 'x-api-key': undefined }).attempt(getBalance);
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const first = await left('2001:db8:1:2::1');
  assert.equal(await left('2001:db8:1:2:ffff::2'), first - 1);
  assert.equal(await left('2001:DB8:0001:2::3'), first - 2);
  assert.equal(await left('2001:db8:1:3::1'), first, 'another network');
  assert.equal(await left('192.0.2.9'), first);
  assert.equal(await left('::ffff:192.0.2.9'), first - 1);
  assert.equal(await left('::ffff:c000:209'), first - 2);
});

test('guessing passwords from one /64 is slowed down as from a single address', async () => {
  const { email } = await platform.newMember();
  for (let guess = 0; guess < 10; guess++) {
    const { status } = await trySignIn(`2001:db8:7:7::${guess + 1}`, email);
    assert.equal(status, 401);
  }
  const refused = await trySignIn('2001:db8:7:7:9999::1', email);
  assert.deepEqual([refused.status, refused.body.error], [429, 'TOO_MANY_ATTEMPTS']);
  assert.equal(refused.body.message, 'Rate limit exceeded. Please wait.');
  assert.equal(Number(refused.headers.get('retry-after')), refused.body.meta.retryAfter);
  assert.ok((refused.body.meta.retryAfter ?? 0) > 0);
  assertRefused(await trySignIn('2001:db8:7:8::1', email), authenticationFailed);
});

test('owners can sign in from anywhere in their /64 while many strangers guess their password', async () => {
  const email = newEmail();
  await from('2001:db8:8:8::1').call(signUp, {
    body: {
      email,
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'L',
      platform: 'web',
    },
  });
  for (let guess = 0; guess < 50; guess++) {
    const { status } = await trySignIn(`203.0.113.${guess}`, email);
    assert.equal(status, 401, `${guess}`);
  }
  assert.equal((await trySignIn('198.51.100.1', email, PASSWORD)).status, 429, 'a stranger');
  assert.equal((await trySignIn('2001:db8:8:8:abcd::77', email, PASSWORD)).status, 200, 'the owner');
});

test('password resets over their limit are refused with the same message', async () => {
  const { email } = await platform.newMember();
  assert.equal((await client.call(forgotPassword, { body: { email } })).status, 200);
  const refused = await client.attempt(forgotPassword, { body: { email } });
  assert.deepEqual(
    [refused.status, refused.body.error, refused.body.message],
    [429, 'RESET_LIMIT_EXCEEDED', 'Rate limit exceeded. Please wait.'],
  );
  assert.equal(Number(refused.headers.get('retry-after')), refused.body.meta.retryAfter);
});

test('every operation states its limits in the same words', () => {
  for (const { id, failures = [] } of platform.platform.operations) {
    for (const { status, message, details } of failures.map((make) => make())) {
      if (status !== 429) continue;
      assert.equal(message, 'Rate limit exceeded. Please wait.', id);
      assert.ok((details.retryAfterSeconds ?? 0) > 0, id);
    }
  }
});
