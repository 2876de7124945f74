// Signing in with an authenticator app, and attempts to get around it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  forgotPassword,
  issueFundingKey,
  listSessions,
  refreshToken,
  removeFactorsOfUser,
  resetPassword,
  signIn,
  signInSso,
  updateUser,
  validateFundingKey,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { elevate, verifyAddress, withApp } from '../../../../test/support/factors.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { stopClock } from '../../../../test/support/stopped-clock.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { accountInactive } from '../../../kernel/operations/access.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { invalidMfaCode, mfaRequired } from '../factors/sign-in-codes.ts';

const platform = await startPlatform();
const { client, admin, clock } = platform;
const newMember = async () => withApp(platform, await platform.newMember());
type Member = Awaited<ReturnType<typeof newMember>>;
const trySignIn = ({ email }: Pick<Member, 'email'>, mfaCode?: string, password = PASSWORD) =>
  client.attempt(signIn, { body: { email, password, mfaCode, platform: 'web', device: 'other' } });

test('signing in takes a code after the right password, and each code once', async () => {
  const ada = await newMember();
  assertRefused(await trySignIn(ada), mfaRequired);
  assertRefused(await trySignIn(ada, ada.app.confirmedWith), invalidMfaCode, 'it confirmed the app');
  const code = ada.app.newCode();
  assert.equal((await trySignIn(ada, code)).status, 200);
  assertRefused(await trySignIn(ada, code), invalidMfaCode, 'used before');
  assertRefused(await trySignIn(ada, '000000'), invalidMfaCode);
});

test('a recovery code serves once, whatever its case, spaces and hyphens', async () => {
  const ada = await newMember();
  const [first = '', second = ''] = ada.app.recoveryCodes;
  assert.equal((await trySignIn(ada, ` ${first.toLowerCase().replaceAll('-', ' ')}`)).status, 200);
  assertRefused(await trySignIn(ada, first), invalidMfaCode);
  assert.equal((await trySignIn(ada, second.replaceAll('-', ''))).status, 200);
  const ben = await newMember();
  assertRefused(await trySignIn(ben, ada.app.recoveryCodes[2]), invalidMfaCode, "somebody else's");
});

test('twenty sign-ins at once with one code: one succeeds', async () => {
  for (const codeOf of [(ada: Member) => ada.app.newCode(), (ada: Member) => ada.app.recoveryCodes[0]]) {
    const ada = await newMember();
    const code = codeOf(ada);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => untilAvailable(() => trySignIn(ada, code))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status } of answers) assert.ok([200, 401, 429].includes(status), String(status));
  }
});

test('a wrong password does not reveal whether the member has a second factor', async () => {
  const [ada, ben] = [await newMember(), await platform.newMember()];
  for (const one of [ada, ben])
    for (const code of [undefined, '000000', ada.app.recoveryCodes[0]])
      assertRefused(await trySignIn(one, code, 'a wrong password'), authenticationFailed);
  assert.equal((await trySignIn(ada, ada.app.recoveryCodes[0])).status, 200, 'nor was the code used up');
  assert.equal((await trySignIn(ben, '000000')).status, 200, 'without an app a code is ignored');
});

test('an inactive account is refused before its code is looked at', async () => {
  const ada = await newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { isActive: false } });
  assertRefused(await trySignIn(ada), accountInactive);
});

test('wrong codes and wrong passwords share ten attempts; a missing code does not count', async (t) => {
  stopClock(t, clock);
  const ada = await newMember();
  for (let attempt = 0; attempt < 12; attempt++) assertRefused(await trySignIn(ada), mfaRequired);
  for (let attempt = 0; attempt < 5; attempt++) {
    assertRefused(await trySignIn(ada, '000000'), invalidMfaCode);
    assertRefused(await trySignIn(ada, undefined, 'a wrong password'), authenticationFailed);
  }
  const refused = await trySignIn(ada, ada.app.recoveryCodes[0]);
  assert.deepEqual([refused.status, refused.body.error], [429, 'TOO_MANY_ATTEMPTS']);
});

test('the codes of an app are wrong once its secret cannot be opened, and support can remove it', async () => {
  const ada = await newMember();
  await platform.database.execute(
    "update identity.authenticator set sealed = sealed || 'of a lost key'::bytea where user_id = $1",
    [ada.id],
  );
  assertRefused(await trySignIn(ada, ada.app.newCode()), invalidMfaCode);
  const params = { userId: ada.id };
  await admin.call(removeFactorsOfUser, { params, body: { reason: 'The secret key was lost' } });
  assert.equal((await trySignIn(ada)).status, 200);
});

test('fifty wrong codes of a day are the last, from wherever they come', async () => {
  // Days end at midnight, so all rounds must lie within one day.
  clock.advance(DAY_MS - (clock.now() % DAY_MS));
  const ada = await newMember();
  for (let round = 0; round < 5; round++) {
    for (let attempt = 0; attempt < 10; attempt++)
      assertRefused(await trySignIn(ada, '000000'), invalidMfaCode);
    clock.advance(16 * 60_000);
  }
  assert.equal((await trySignIn(ada, ada.app.newCode())).body.error, 'TOO_MANY_ATTEMPTS');
  clock.advance(DAY_MS);
  assert.equal((await trySignIn(ada, ada.app.newCode())).status, 200);
  await platform.signInAdmin();
});

test('a new password by mail does not step over the factor', async () => {
  const ada = await newMember();
  await verifyAddress(platform, ada);
  await client.call(forgotPassword, { body: { email: ada.email } });
  const { text } = await platform.mailTo(ada.email, 'email.password-reset');
  const code = /\b\d{6}\b/.exec(text)?.[0] as string;
  const newPassword = 'another password';
  await client.call(resetPassword, { body: { email: ada.email, code, newPassword } });
  assertRefused(await trySignIn(ada, undefined, newPassword), mfaRequired);
  assert.equal((await trySignIn(ada, ada.app.newCode(), newPassword)).status, 200);
});

test('single sign-on asks for no code and is not elevated; a refresh keeps the elevation', async () => {
  const ada = await newMember();
  await elevate(ada);
  const fresh = (await client.call(refreshToken, { body: { refreshToken: ada.refreshToken } })).data;
  const hop = { userId: ada.id, ...fresh, platform: 'web' as const, device: 'hop' };
  const hopped = (await client.call(signInSso, { body: hop })).data;
  const sessions = (await client.as(hopped.accessToken).call(listSessions)).data;
  const elevated = sessions.map(({ device, elevatedUntil }) => [device, elevatedUntil !== null]);
  assert.deepEqual(elevated, [
    ['hop', false],
    ['unnamed', true],
  ]);
});

test('a funding key neither signs in nor steps up', async () => {
  const ada = await newMember();
  const fresh = await platform.signInAdmin();
  const { fundingKey } = (await fresh.call(issueFundingKey, { params: { userId: ada.id } })).data;
  assertRefused(await trySignIn(ada, fundingKey), invalidMfaCode);
  await ada.client.call(validateFundingKey, { body: { password: fundingKey } });
  const sessions = (await ada.client.call(listSessions)).data;
  assert.deepEqual(
    sessions.map(({ elevatedUntil }) => elevatedUntil),
    [null],
  );
});
