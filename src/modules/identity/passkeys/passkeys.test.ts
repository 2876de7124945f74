import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPasskey,
  getFactors,
  getPasskeyOptions,
  listPasskeys,
  listSessions,
  removePasskey,
  renamePasskey,
  signIn,
  signInByPasskey,
  stepUp,
  transferKeys,
  updateUser,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { addKey, authenticator, newChallenge, trySignIn } from '../../../../test/support/authenticator.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import { noPlatformAccess } from '../platforms/sku-access.ts';
import { passkeyDomainOf } from '../settings.ts';
import { wrongFactor } from '../step-up/step-up.ts';
import {
  passkeyExists,
  passkeyNotFound,
  passkeyRefused,
  passkeyRejected,
  tooManyPasskeys,
} from './passkeys.ts';

const platform = await startPlatform();
const { client, admin, clock } = platform;
const challengeOf = async (one: typeof client) => String((await one.call(getPasskeyOptions)).data.challenge);

test('a passkey is added, listed, renamed, and signs in without password and code', async () => {
  const ada = await platform.newMember();
  const { made, passkey } = await addKey(ada.client, authenticator(), ' A phone ');
  assert.deepEqual(
    [passkey.name, passkey.transports, passkey.backedUp, passkey.lastUsedAt],
    ['A phone', ['internal'], true, null],
  );
  const params = { id: passkey.id };
  await ada.client.call(renamePasskey, { params, body: { name: 'My phone' } });
  const answer = await trySignIn(client, made);
  assert.equal(answer.status, 200);
  const signedIn = client.as(answer.data?.accessToken as string);
  const [listed] = (await signedIn.call(listPasskeys)).data;
  assert.equal(listed?.name, 'My phone');
  assert.notEqual(listed?.lastUsedAt, null);
  const [session] = (await signedIn.call(listSessions)).data;
  assert.deepEqual([session?.method, session?.elevatedUntil], ['passkey', null]);
  const byPassword = { email: ada.email, password: PASSWORD, platform: 'web' as const };
  assert.equal(
    (await client.attempt(signIn, { body: byPassword })).status,
    200,
    'the password needs no code',
  );
});

test('all errors of an authenticator are rejected with the same response', async () => {
  const ada = await platform.newMember();
  const { made } = await addKey(ada.client);
  const wrong = {
    'another origin': { origin: 'https://evil.example' },
    'another domain': { rpId: 'evil.example' },
    'no user verification': { isVerified: false },
    'a registration': { type: 'webauthn.create' },
    'a made-up challenge': { challenge: Buffer.alloc(56).toString('base64url') },
    'no challenge': { challenge: '' },
    'a counter that does not rise': { counter: 1 },
  };
  for (const [name, behaviour] of Object.entries(wrong))
    assertRefused(await trySignIn(client, made, behaviour), passkeyRejected, name);
  assertRefused(await trySignIn(client, authenticator()), passkeyRejected, 'an unknown passkey');
  const forged = { ...made.get(await newChallenge(client)), response: made.get('x').response };
  const body = { response: forged, platform: 'web' as const };
  assertRefused(await client.attempt(signInByPasskey, { body }), passkeyRejected);
  const garbage = {
    ...forged,
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  };
  const refused = await client.attempt(signInByPasskey, { body: { ...body, response: garbage } });
  assertRefused(refused, passkeyRejected);
  assertInvalid(await client.raw('POST', '/v1/auth/passkeys/signin', { platform: 'web', response: {} }));
  assert.equal((await trySignIn(client, made, { counter: 7 })).status, 200);
});

test('a challenge is valid once, for five minutes and for its own purpose', async () => {
  const ada = await platform.newMember();
  const { made } = await addKey(ada.client, authenticator({ counts: false }));
  const challenge = await newChallenge(client);
  const attempt = (one: string) =>
    client.attempt(signInByPasskey, { body: { response: made.get(one), platform: 'web', device: 'key' } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilAvailable(() => attempt(challenge))),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assertRefused(await attempt(challenge), passkeyRejected);
  const failed = await newChallenge(client);
  assertRefused(
    await client.attempt(signInByPasskey, {
      body: { response: made.get(failed, { isVerified: false }), platform: 'web' },
    }),
    passkeyRejected,
  );
  assertRefused(await attempt(failed), passkeyRejected, 'a wrong answer uses it up, too');
  const late = await newChallenge(client);
  clock.advance(5 * MINUTE_MS);
  assertRefused(await attempt(late), passkeyRejected);
  const ben = await platform.newMember();
  assertRefused(await attempt(await challengeOf(ben.client)), passkeyRejected, 'of a registration');
});

test('a registration takes a challenge of the same member, a whole key, and a new one', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const add = (response: ReturnType<ReturnType<typeof authenticator>['create']>) =>
    ada.client.attempt(addPasskey, { body: { name: 'Key', response } });
  const made = authenticator();
  assertRefused(await add(made.create(await challengeOf(ben.client))), passkeyRefused);
  for (const coordinate of [-2, -3])
    assertRefused(
      await add(made.create(await challengeOf(ada.client), { without: coordinate })),
      passkeyRefused,
    );
  assertRefused(await add(made.create(await challengeOf(ada.client), { isVerified: false })), passkeyRefused);
  await addKey(ben.client, made);
  assertRefused(await add(made.create(await challengeOf(ada.client))), passkeyExists, "somebody else's");
});

test('a passkey steps up, and guards itself', async () => {
  const ada = await platform.newMemberWith(2_000);
  const { made, passkey } = await addKey(ada.client);
  const params = { id: passkey.id };
  assertRefused(await ada.client.attempt(withdrawKeys, { body: { amount: 5 } }), stepUpRequired);
  assertRefused(await ada.client.attempt(getPasskeyOptions), stepUpRequired);
  assertRefused(await ada.client.attempt(removePasskey, { params }), stepUpRequired);
  assertRefused(await ada.client.attempt(stepUp, { body: { mfaCode: '123456' } }), wrongFactor);
  const [other, ben] = [authenticator(), await platform.newMember()];
  await addKey(ben.client, other);
  const step = async (one = made) =>
    ada.client.attempt(stepUp, { body: { passkey: one.get(await newChallenge(client)) } });
  assertRefused(await step(other), passkeyRefused, "somebody else's passkey");
  assert.equal((await step()).status, 200);
  assert.equal((await ada.client.attempt(withdrawKeys, { body: { amount: 5 } })).status, 201);
  assert.equal((await ada.client.attempt(removePasskey, { params })).status, 200);
  assert.deepEqual((await ada.client.call(getFactors)).data, {
    totp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
  });
  assertRefused(await step(), wrongFactor, 'without any passkey');
  const body = { toUserId: ben.id, amount: 1_500 };
  assert.equal((await ada.client.attempt(transferKeys, { body })).status, 201, 'without a factor as before');
  assertRefused(await trySignIn(client, made), passkeyRejected, 'a removed one signs in no more');
});

test('the passkeys of others do not exist, and there are at most twenty', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const { made, passkey } = await addKey(ada.client);
  const params = { id: passkey.id };
  const renamed = await ben.client.attempt(renamePasskey, { params, body: { name: 'Mine' } });
  assertRefused(renamed, passkeyNotFound);
  assertRefused(await ben.client.attempt(removePasskey, { params }), passkeyNotFound);
  await ada.client.call(stepUp, { body: { passkey: made.get(await newChallenge(client)) } });
  for (let count = 1; count < 20; count++) await addKey(ada.client);
  const response = authenticator().create(await challengeOf(ada.client));
  assertRefused(
    await ada.client.attempt(addPasskey, { body: { name: 'One more', response } }),
    tooManyPasskeys,
  );
});

test('signing in by passkey is judged as by password: activity, then the SKU of the platform', async () => {
  const ada = await platform.newMember();
  const { made } = await addKey(ada.client);
  const body = { response: made.get(await newChallenge(client)), platform: 'app' as const };
  assertRefused(await client.attempt(signInByPasskey, { body }), () => noPlatformAccess('app'));
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  assertRefused(await trySignIn(client, made), accountInactive);
});

test('passkeys belong to localhost in development; in production there are none without a domain', () => {
  assert.equal(passkeyDomainOf({ passkeyRpId: undefined }, 'development'), 'localhost');
  assert.equal(passkeyDomainOf({ passkeyRpId: undefined }, 'production'), undefined);
  assert.equal(passkeyDomainOf({ passkeyRpId: 'example.com' }, 'production'), 'example.com');
});
