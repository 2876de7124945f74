// A member has a password, an authenticator app with recovery codes, and a mailbox; a thief has one of these, or a
// session.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  deleteOwnAccount,
  enrollAuthenticator,
  enrollInCourse,
  exportOwnData,
  forgotPassword,
  fundWalletAsAdmin,
  getBalance,
  getFactors,
  getPasskeyOptions,
  refreshToken as refreshTokenOperation,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  resetPassword,
  signIn,
  signInSso,
  stepUp,
  tipEducator,
  transferKeys,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { addKey, authenticator, trySignIn as signInByKey } from '../../../../test/support/authenticator.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { addApp, elevate, verifyAddress, withApp } from '../../../../test/support/factors.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { mfaRequired } from '../factors/sign-in-codes.ts';
import { wrongFactor } from './step-up.ts';

const platform = await startPlatform({ STEP_UP_KEYS: '0' });
const { client } = platform;
type Client = typeof client;

const { owner: educator, course } = await newCourse(platform, { course: { price: 5, currency: 'Keys' } });
const NEW_PASSWORD = 'a password of the thief';

/** Returns a member with a password, an authenticator app and Keys. */
async function newVictim() {
  const member = await platform.newMemberWith(1_000);
  return withApp(platform, member);
}

const trySignIn = (member: Member, password: string, mfaCode?: string) =>
  client.attempt(signIn, {
    body: { email: member.email, password, platform: 'web', device: 'thief', mfaCode },
  });

/** Asserts that a session of the member can neither send Keys nor change the means of signing in. */
async function assertPowerless(thief: Client, victim: Pick<Member, 'id' | 'client'>, passkeyId?: string) {
  const toUserId = educator.id;
  const attempts = {
    transfer: thief.attempt(transferKeys, { body: { toUserId, amount: 1 } }),
    tip: thief.attempt(tipEducator, { params: { educatorId: toUserId }, body: { amount: 1 } }),
    enrolment: thief.attempt(enrollInCourse, { params: { courseId: course.id } }),
    withdrawal: thief.attempt(withdrawKeys, { body: { amount: 50 } }),
    password: thief.attempt(changePassword, {
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    }),
    app: thief.attempt(enrollAuthenticator),
    'removed app': thief.attempt(removeAuthenticator),
    'recovery codes': thief.attempt(renewRecoveryCodes),
    passkey: thief.attempt(getPasskeyOptions),
    ...(passkeyId && { 'removed passkey': thief.attempt(removePasskey, { params: { id: passkeyId } }) }),
    export: thief.attempt(exportOwnData),
    account: thief.attempt(deleteOwnAccount, { body: { password: PASSWORD } }),
  };
  for (const [name, attempt] of Object.entries(attempts)) assertRefused(await attempt, stepUpRequired, name);
  assertRefused(await thief.attempt(stepUp, { body: { password: PASSWORD } }), wrongFactor);
  assert.equal((await victim.client.call(getBalance)).data.balance, 1_000);
}

test('the password alone opens no session', async () => {
  const ada = await newVictim();
  assertRefused(await trySignIn(ada, PASSWORD), mfaRequired);
});

test('the app alone, or a recovery code, opens no session and resets no password', async () => {
  const ada = await newVictim();
  for (const code of [ada.app.newCode(), ada.app.recoveryCodes[0] as string]) {
    assertRefused(await trySignIn(ada, 'a guess', code), authenticationFailed);
    const body = { email: ada.email, code: code.slice(0, 6), newPassword: NEW_PASSWORD };
    assert.ok((await client.attempt(resetPassword, { body })).status >= 400);
  }
  assert.equal((await trySignIn(ada, PASSWORD, ada.app.newCode())).status, 200);
});

test('the mailbox alone opens no session', async () => {
  const ada = await newVictim();
  await verifyAddress(platform, ada);
  await client.call(forgotPassword, { body: { email: ada.email } });
  const { text } = await platform.mailTo(ada.email, 'email.password-reset');
  const code = /\b\d{6}\b/.exec(text)?.[0] as string;
  await client.call(resetPassword, { body: { email: ada.email, code, newPassword: NEW_PASSWORD } });
  assertRefused(await trySignIn(ada, NEW_PASSWORD), mfaRequired);
});

test('a stolen session moves nothing, however it is renewed or passed on', async () => {
  const ada = await newVictim();
  await assertPowerless(ada.client, ada);
  const passedOn = await client.call(signInSso, {
    body: {
      userId: ada.id,
      platform: 'web',
      device: 'thief',
      accessToken: ada.accessToken,
      refreshToken: ada.refreshToken,
    },
  });
  await assertPowerless(client.as(passedOn.data.accessToken), ada);
  const { data } = await client.call(refreshTokenOperation, { body: { refreshToken: ada.refreshToken } });
  await assertPowerless(client.as(data.accessToken), ada);
});

test('beside a passkey the password opens a session, which moves nothing', async () => {
  const ada = await platform.newMemberWith(1_000);
  const { passkey } = await addKey(ada.client);
  const byPassword = await trySignIn(ada, PASSWORD);
  await assertPowerless(client.as(byPassword.data?.accessToken as string), ada, passkey.id);
  const { totp, passkeys } = (await ada.client.call(getFactors)).data;
  assert.deepEqual([totp, passkeys], [false, 1]);
});

test('a passkey is a thing and a finger, and does both; without the finger it does nothing', async () => {
  const ada = await platform.newMemberWith(1_000);
  const key = authenticator();
  await addKey(ada.client, key);
  assert.equal((await signInByKey(client, key, { isVerified: false })).status, 401);
  const signedIn = await signInByKey(client, key);
  await assertPowerless(client.as(signedIn.data?.accessToken as string), ada);
});

test('the member, who has both, signs in, confirms and withdraws', async () => {
  const ada = await platform.newMember();
  await platform.admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 1_000 } });
  const app = await addApp(platform, ada.client);
  const { data } = await trySignIn(ada, PASSWORD, app.newCode());
  const both = client.as(data?.accessToken as string);
  await assertPowerless(both, ada);
  await elevate({ client: both, app });
  assert.equal((await both.attempt(withdrawKeys, { body: { amount: 50 } })).status, 201);
});
