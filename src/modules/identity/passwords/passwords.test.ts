import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  createUser,
  forgotPassword,
  getProfile,
  resetPassword,
  signIn as signInOperation,
  signUp,
  validateResetCode,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { invalidCode } from './password-resets.ts';

const platform = await startPlatform();
const { client } = platform;
const MINUTE_MS = 60_000;
const NEXT = 'a new password for tests';

const forgot = (email: string) => client.attempt(forgotPassword, { body: { email } });
const validate = (email: string, code: string) =>
  client.attempt(validateResetCode, { body: { email, code } });
const reset = (email: string, code: string, newPassword = NEXT) =>
  client.attempt(resetPassword, { body: { email, code, newPassword } });
const signIn = (email: string, password: string) =>
  client.attempt(signInOperation, { body: { email, password, platform: 'web', device: 'new' } });
const codeOf = async (email: string): Promise<string> =>
  /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a mailed reset code sets a new password once and ends every session', async () => {
  const ada = await platform.newMember();
  assert.equal((await forgot(` ${ada.email.toUpperCase()} `)).status, 200);
  const code = await codeOf(ada.email);
  assert.deepEqual((await validate(ada.email, code)).data, { valid: true });
  assert.equal((await reset(ada.email, code)).status, 200);
  assertRefused(await ada.client.attempt(getProfile), invalidToken);
  assertRefused(await signIn(ada.email, PASSWORD), authenticationFailed);
  assert.equal((await signIn(ada.email, NEXT)).status, 200);
  assertRefused(await reset(ada.email, code), invalidCode, 'a code is good once');
  assert.match((await platform.mailTo(ada.email, 'email.password-changed')).text, /was changed/);
  const rows = await platform.database.all('select * from identity.password_reset where email = $1', [
    ada.email,
  ]);
  assert.ok(!JSON.stringify(rows).includes(code));
  const jobs = await platform.database.all(
    "select data::text from jobs.job where name like '%password-reset%'",
  );
  assert.ok(jobs.length > 0 && !JSON.stringify(jobs).includes(`"${code}"`), 'the code is sealed on its way');
});

test('known and unknown e-mails get the same answers, limits included', async () => {
  const ada = await platform.newMember();
  const nobody = newEmail();
  for (let request = 0; request < 2; request++) {
    const [known, unknown] = [await forgot(ada.email), await forgot(nobody)];
    assert.deepEqual(
      [known.status, known.body.message, known.data],
      [unknown.status, unknown.body.message, unknown.data],
    );
    assert.equal(known.status, request === 0 ? 200 : 429);
    assert.equal(known.headers.get('retry-after') !== null, request === 1);
  }
  const [known, unknown] = [await validate(ada.email, '000000'), await validate(nobody, '000000')];
  assert.deepEqual([known.status, known.body.message], [unknown.status, unknown.body.message]);
  assert.deepEqual([known.status, known.body.message], [400, 'Invalid or expired reset code']);
});

test('reset codes are limited to one every two minutes and five a day, and expire after an hour or five wrong tries', async () => {
  // The middle of a day, so that the day does not end during the test.
  platform.clock.set(
    Date.parse(new Date(platform.clock.now()).toISOString().slice(0, 10)) + 36 * 60 * MINUTE_MS,
  );
  const ada = await platform.newMember();
  for (let request = 1; request <= 5; request++) {
    assert.equal((await forgot(ada.email)).status, 200, `request ${request}`);
    platform.clock.advance(2 * MINUTE_MS - 1000);
    assert.equal((await forgot(ada.email)).status, 429);
    platform.clock.advance(1000);
  }
  const sixth = await forgot(ada.email);
  assert.equal(sixth.status, 429);
  assert.ok(Number(sixth.headers.get('retry-after')) > 3600);

  const ben = await platform.newMember();
  await forgot(ben.email);
  const code = await codeOf(ben.email);
  for (let wrong = 1; wrong <= 4; wrong++)
    assertRefused(await validate(ben.email, otherThan(code)), invalidCode);
  assert.equal((await validate(ben.email, code)).status, 200);
  assertRefused(await reset(ben.email, otherThan(code)), invalidCode, 'tries of both steps count together');
  assertRefused(await validate(ben.email, code), invalidCode, 'the fifth wrong one burnt it');

  const cleo = await platform.newMember();
  await forgot(cleo.email);
  const other = await codeOf(cleo.email);
  platform.clock.advance(60 * MINUTE_MS - 5000);
  assert.equal((await validate(cleo.email, other)).status, 200);
  platform.clock.advance(6000);
  assertRefused(await validate(cleo.email, other), invalidCode);
});

test('of a hundred concurrent wrong tries only five are checked', async () => {
  const ada = await platform.newMember();
  await forgot(ada.email);
  const code = await codeOf(ada.email);
  const wrong = Array.from({ length: 100 }, (_, place) =>
    String((Number(code) + 1 + place) % 1_000_000).padStart(6, '0'),
  );
  const answers = await Promise.all(wrong.map((one) => validate(ada.email, one)));
  // 503: those that waited too long behind the others, on a busy machine.
  assert.ok(answers.every(({ status }) => [400, 429, 503].includes(status)));
  const rows = await platform.database.all(
    'select code_digest, wrong_tries from identity.password_reset where email = $1',
    [ada.email],
  );
  assert.deepEqual(rows, [{ codeDigest: null, wrongTries: 5 }], 'burnt, not only slowed down');
  assert.notEqual((await validate(ada.email, code)).status, 200);
});

test('changing the password requires the current one and ends other sessions', async () => {
  const ada = await platform.newMember();
  const elsewhere = client.as(String((await signIn(ada.email, PASSWORD)).data?.accessToken));
  const change = (currentPassword: string, newPassword: string) =>
    ada.client.attempt(changePassword, { body: { currentPassword, newPassword } });
  assert.deepEqual((await change('wrong', NEXT)).body.error, 'WRONG_PASSWORD');
  assertInvalid(await change(PASSWORD, 'short'));
  assert.equal((await change(PASSWORD, NEXT)).status, 200);
  assert.equal((await ada.client.call(getProfile)).status, 200);
  assertRefused(await elsewhere.attempt(getProfile), invalidToken);
  assert.equal((await signIn(ada.email, NEXT)).status, 200);
});

test('signing up sends a welcome', async () => {
  const ada = await platform.newMember();
  assert.match((await platform.mailTo(ada.email, 'email.welcome')).subject, /Welcome, Test/);
});

test('a password of seven characters is refused wherever one is set', async () => {
  const ada = await platform.newMember();
  const [short, names] = ['1234567', { firstName: 'A', lastName: 'B' }];
  const draft = { email: newEmail(), password: short, ...names };
  assertInvalid(await client.attempt(signUp, { body: { ...draft, platform: 'web' } }));
  assertInvalid(await (await platform.signInAdmin()).attempt(createUser, { body: draft }));
  assertInvalid(
    await ada.client.attempt(changePassword, { body: { currentPassword: PASSWORD, newPassword: short } }),
  );
  assertInvalid(await reset(ada.email, '123456', short));
});
