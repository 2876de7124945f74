import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createUser,
  forgotPassword,
  getFactors,
  listAudit,
  resetPassword,
  signIn,
  updateUser,
  verifyEmail,
} from '../../../../sdk/src/index.ts';
import { addKey, trySignIn } from '../../../../test/support/authenticator.ts';
import { newEmail } from '../../../../test/support/client.ts';
import { addApp } from '../../../../test/support/factors.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { mfaRequired } from '../factors/sign-in-codes.ts';
import { passkeyRejected } from '../passkeys/passkeys.ts';

// Whoever signs up with an address that is not theirs must not stay in the account of its owner.

const platform = await startPlatform({ VERIFIED_EMAIL: 'money' });
const { client, admin, clock } = platform;
const NONE = { totp: false, passkeys: 0, recoveryCodesLeft: 0 };
const NEXT = 'the password of the owner';

/** Returns the code in the newest mail of a kind to an address, of which there must be a number. */
async function codeIn(email: string, ofKind: string, count = 1): Promise<string> {
  const found = async () => (await platform.mailsTo(email)).filter(({ kind }) => kind === ofKind);
  await until(async () => (await found()).length >= count, `${count} mails ${ofKind}`);
  return /\b\d{6}\b/.exec((await found())[0]?.text ?? '')?.[0] ?? '';
}

/** Resets a password by the mailed code; `time` counts the resets of the address. */
async function reset(email: string, time = 1): Promise<void> {
  await client.call(forgotPassword, { body: { email } });
  const code = await codeIn(email, 'email.password-reset', time);
  await client.call(resetPassword, { body: { email, code, newPassword: NEXT } });
  clock.advance(121_000);
}
const trySignInAs = (email: string) =>
  client.attempt(signIn, { body: { email, password: NEXT, platform: 'web' } });

test('the first reset of a password removes factors that were added before, and later ones keep theirs', async () => {
  const squatter = await platform.newMember();
  const { email } = squatter;
  const { made } = await addKey(squatter.client);
  await reset(email);
  assertRefused(await trySignIn(client, made), passkeyRejected);
  const { status, data } = await trySignInAs(email);
  assert.equal(status, 200);
  const owner = client.as(data?.accessToken ?? '');
  assert.deepEqual((await owner.call(getFactors)).data, NONE);
  await platform.mailTo(email, 'email.factors-changed', /first proof that this address/);
  const query = { action: 'user.factors-removed', target: squatter.id };
  const [entry] = (await admin.call(listAudit, { query })).data;
  assert.deepEqual([entry?.actor, entry?.details], [squatter.id, { totp: false, passkeys: 1 }]);
  await addApp(platform, owner);
  await reset(email, 2);
  assertRefused(await trySignInAs(email), mfaRequired, 'the factors of the owner stay');
});

test('an authenticator app of whoever signed up does not shut the owner of the address out', async () => {
  const squatter = await platform.newMember();
  await addApp(platform, squatter.client);
  await reset(squatter.email);
  assert.equal((await trySignInAs(squatter.email)).status, 200);
});

test('a reset keeps the factors of a member who has verified their address, also after a bounce', async () => {
  const ada = await platform.newMember();
  const code = await codeIn(ada.email, 'email.verification');
  await ada.client.call(verifyEmail, { body: { code } });
  await addApp(platform, ada.client);
  await platform.database.execute('update identity.user set email_verified = false where id = $1', [ada.id]);
  await reset(ada.email);
  assertRefused(await trySignInAs(ada.email), mfaRequired);
});

test('a reset keeps the factors of administrators, and of accounts that administrators made', async () => {
  const boss = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId: boss.id }, body: { permissions: ['admin'] } });
  await addApp(platform, boss.client);
  await reset(boss.email);
  assertRefused(await trySignInAs(boss.email), mfaRequired);
  const email = newEmail();
  const draft = { email, password: NEXT, firstName: 'Ada', lastName: 'L' };
  await admin.call(createUser, { body: draft });
  await addApp(platform, client.as((await trySignInAs(email)).data?.accessToken ?? ''));
  await reset(email);
  assertRefused(await trySignInAs(email), mfaRequired);
});

test('a reset keeps the factors of a member whose address an administrator has changed', async () => {
  const ada = await platform.newMember();
  await addApp(platform, ada.client);
  const email = newEmail();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { email } });
  await reset(email);
  assertRefused(await trySignInAs(email), mfaRequired);
});
