import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import {
  createUser,
  forgotPassword,
  getProfile,
  refreshToken,
  signIn as signInOperation,
  signUp,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { emailTaken } from '../../../external/directory/port.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';

const platform = await startPlatform();
const { admin, client, database } = platform;
const LIST = 'app, livestream, scanners, web, backoffice';
const draft = () => ({
  email: newEmail(),
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Lovelace',
  platform: 'web' as const,
});

test('signing up returns tokens and the user, as the profile shows them', async () => {
  const body = { ...draft(), email: '  ÁDA.Lovelace@Example.COM ', permissions: ['admin'], isActive: false };
  const { status, data } = await client.call(signUp, { body });
  assert.equal(status, 201);
  assert.equal(data.user.email, 'áda.lovelace@example.com');
  assert.deepEqual(
    [data.user.permissions, data.user.isActive, data.user.username],
    [[], true, 'da.lovelace'],
  );
  const profile = await client.as(data.accessToken).call(getProfile);
  assert.deepEqual([profile.status, profile.data], [200, { ...data.user, mutedUntil: null }]);
  assert.ok(!JSON.stringify(profile.body).includes('argon2'));
  assert.equal(decodeJwt(data.accessToken).sub, data.user.id);
  const rows = await database.all('select hash from identity.password where user_id = $1', [data.user.id]);
  assert.match(rows[0]?.hash as string, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('an e-mail can be registered once, in any spelling, also concurrently', async () => {
  const body = draft();
  assert.equal((await client.call(signUp, { body })).status, 201);
  const again = await client.attempt(signUp, { body: { ...body, email: ` ${body.email.toUpperCase()}` } });
  assertRefused(again, emailTaken);
  const racing = draft();
  const both = await Promise.all(
    Array.from({ length: 6 }, () => untilAvailable(() => client.attempt(signUp, { body: racing }))),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
});

test('members with similar e-mails who sign up concurrently get different usernames', async () => {
  const name = `twin.${Date.now()}`;
  const drafts = Array.from({ length: 20 }, (_, place) => ({
    ...draft(),
    email: `${name}@host${place}.test`,
  }));
  const answers = await Promise.all(
    drafts.map((one) => untilAvailable(() => client.attempt(signUp, { body: one }))),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    drafts.map(() => 201),
  );
  const usernames = new Set(answers.map(({ data }) => data?.user.username));
  assert.equal(usernames.size, 20);
  assert.ok(usernames.has(name));
});

test('a malformed e-mail is refused by every operation', async () => {
  const { admin } = platform;
  const { id } = await platform.newMember();
  const named = { firstName: 'Ada', lastName: 'L' };
  for (const email of [
    '<a@b.test>',
    'a@b.test,',
    'x:a@b.test;',
    'evil..x@b.test',
    'a\u200b@b.test',
    'a@-evil.test',
  ]) {
    const refused = await Promise.all([
      client.attempt(signUp, { body: { ...draft(), email } }),
      admin.attempt(createUser, { body: { ...named, email } }),
      admin.attempt(updateUser, { params: { userId: id }, body: { email } }),
      client.attempt(forgotPassword, { body: { email } }),
    ]);
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.errors?.[0]?.field], [422, 'email'], email);
    }
  }
});

test('a missing or unknown platform is 400 with the list of platforms', async () => {
  const { platform: _, ...without } = draft();
  for (const path of ['/v1/auth/signup', '/v1/auth/signin']) {
    const missing = await client.raw('POST', path, without);
    assert.deepEqual(
      [missing.status, missing.body.message],
      [400, `Platform is required. Valid platforms: ${LIST}`],
    );
    for (const unknown of ['tv', '', 5, null, ['web']]) {
      const invalid = await client.raw('POST', path, { ...without, platform: unknown });
      assert.deepEqual(
        [invalid.status, invalid.body.message],
        [400, `Invalid platform. Valid platforms: ${LIST}`],
      );
    }
  }
});

test('a wrong password and an unknown e-mail get the same answer', async () => {
  const body = draft();
  await client.call(signUp, { body });
  const wrong = await client.attempt(signInOperation, { body: { ...body, password: 'not the password' } });
  const unknown = await client.attempt(signInOperation, { body: { ...body, email: newEmail() } });
  for (const { status, body } of [wrong, unknown]) {
    assert.deepEqual([status, body.message], [401, 'External Backoffice authentication failed']);
  }
  assert.equal(wrong.body.error, unknown.body.error);
});

test('a deactivated account is 403, also with tokens of before, whose session has ended with it', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  const signIn = await client.attempt(signInOperation, {
    body: { email: ada.email, password: PASSWORD, platform: 'web' },
  });
  assert.deepEqual(
    [signIn.status, signIn.body.statusCode, signIn.body.message],
    [403, 403, 'Account is inactive'],
  );
  assertRefused(await ada.client.attempt(getProfile), accountInactive);
  const refresh = await client.attempt(refreshToken, { body: { refreshToken: ada.refreshToken } });
  assertRefused(refresh, accountInactive);
});

test('a new sign-in ends only the earlier session on the same platform and device', async () => {
  const ada = await platform.newMember();
  const signIn = async (on: 'web' | 'backoffice', device: string) => {
    const body = { email: ada.email, password: PASSWORD, platform: on, device };
    return client.as((await client.call(signInOperation, { body })).data.accessToken);
  };
  const status = async (session: typeof client) => (await session.attempt(getProfile)).status;
  const phone = await signIn('web', 'phone');
  const laptop = await signIn('web', 'laptop');
  const desk = await signIn('backoffice', 'phone');
  const phoneAgain = await signIn('web', 'phone');
  assert.deepEqual(await Promise.all([phone, laptop, desk, phoneAgain].map(status)), [401, 200, 200, 200]);
});
