import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  confirmAuthenticator,
  enrollAuthenticator,
  getFactors,
  getOverviewOfUser,
  listAudit,
  removeAuthenticator,
  removeFactorsOfUser,
  renewRecoveryCodes,
  stepUp,
} from '../../../../sdk/src/index.ts';
import { addApp, elevate, withApp } from '../../../../test/support/factors.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { secretsOf } from '../../../kernel/secrets.ts';
import { authenticatorActive, authenticatorNotFound, noFactor, wrongMfaCode } from './factors.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const NONE = { totp: false, passkeys: 0, recoveryCodesLeft: 0 };

test('an authenticator app is active once it has shown a code, and comes with ten recovery codes', async () => {
  const { client, email } = await platform.newMember();
  assert.deepEqual((await client.call(getFactors)).data, NONE);
  const missing = await client.attempt(confirmAuthenticator, { body: { code: '123456' } });
  assertRefused(missing, authenticatorNotFound);
  const { status, data } = await client.call(enrollAuthenticator);
  assert.equal(status, 201);
  assert.match(data.secret, /^[A-Z2-7]{32}$/);
  const url = new URL(data.otpauthUrl);
  assert.equal(decodeURIComponent(url.pathname), `/Platform:${email}`);
  assert.equal(url.searchParams.get('secret'), data.secret);
  assert.match(data.qrSvg, /^<svg /);
  assert.deepEqual((await client.call(getFactors)).data, NONE, 'nothing has changed yet');
  const { recoveryCodes } = await addApp(platform, client);
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.deepEqual((await client.call(getFactors)).data, { totp: true, passkeys: 0, recoveryCodesLeft: 10 });
  await platform.mailTo(email, 'email.factors-changed', /authenticator app was added/);
});

test('a second secret replaces the first while neither is confirmed', async () => {
  const { client } = await platform.newMember();
  const first = (await client.call(enrollAuthenticator)).data.secret;
  const { app } = await withApp(platform, { client });
  assert.notEqual(first, undefined);
  const wrong = await client.attempt(confirmAuthenticator, { body: { code: app.code() } });
  assertRefused(wrong, stepUpRequired, 'a change of factors needs the factor');
  await elevate({ client, app });
  const again = await client.attempt(confirmAuthenticator, { body: { code: app.newCode() } });
  assertRefused(again, authenticatorActive);
  assertRefused(await client.attempt(enrollAuthenticator), authenticatorActive);
});

test('a wrong code confirms nothing', async () => {
  const { client } = await platform.newMember();
  await client.call(enrollAuthenticator);
  for (const code of ['000000', 'ABCD-EFGH-IJKL-MNOP', ' ']) {
    const refused = await client.attempt(confirmAuthenticator, { body: { code } });
    assertRefused(refused, wrongMfaCode, code);
  }
  assert.equal((await client.call(getFactors)).data.totp, false);
});

test('secrets and recovery codes are not stored in clear text', async () => {
  const { client, id } = await platform.newMember();
  const { secret } = (await client.call(enrollAuthenticator)).data;
  const { recoveryCodes } = await addApp(platform, client);
  const rows = await database.all(
    `select encode(sealed, 'escape') as text from identity.authenticator where user_id = $1
     union all select encode(digest, 'escape') from identity.recovery_code where user_id = $1`,
    [id],
  );
  const text = JSON.stringify(rows);
  assert.equal(rows.length, 11);
  for (const one of [secret, ...recoveryCodes])
    assert.ok(!text.includes(one) && !text.includes(one.slice(0, 4)));
});

test('operators learn once of secrets that no key opens, whose codes are wrong', async () => {
  const lost = secretsOf(['a key that is lost for good']).sealer('identity.authenticator').seal('x');
  const told = () => platform.logged.filter((line) => line.includes('SECRET_UNREADABLE'));
  for (let member = 0; member < 2; member++) {
    const { client, id, app } = await withApp(platform, await platform.newMember());
    await database.execute('update identity.authenticator set sealed = $2 where user_id = $1', [id, lost]);
    for (let times = 0; times < 2; times++)
      assertRefused(await client.attempt(stepUp, { body: { mfaCode: app.newCode() } }), wrongMfaCode);
  }
  assert.equal(told().length, 1);
  assert.match(told()[0] ?? '', /secrets of authenticator apps.*SECRET_KEY_FALLBACKS/);
});

test('removing the app takes it as proof, and ends the elevation at once', async () => {
  const ada = await withApp(platform, await platform.newMember());
  assertRefused(await ada.client.attempt(removeAuthenticator), stepUpRequired);
  await elevate(ada);
  assert.deepEqual((await ada.client.call(removeAuthenticator)).data, NONE, 'its recovery codes go with it');
  assertRefused(await ada.client.attempt(removeAuthenticator), authenticatorNotFound);
  const [session] = await database.all(
    'select elevated_until from identity.session where user_id = $1 and ended_at is null',
    [ada.id],
  );
  assert.equal(session?.elevatedUntil, null);
});

test('new recovery codes void the earlier ones', async () => {
  const ada = await withApp(platform, await platform.newMember());
  assertRefused(await ada.client.attempt(renewRecoveryCodes), stepUpRequired);
  await elevate(ada);
  const { recoveryCodes } = (await ada.client.call(renewRecoveryCodes)).data;
  const [old, fresh] = [ada.app.recoveryCodes[0], recoveryCodes[0]];
  assertRefused(await ada.client.attempt(stepUp, { body: { mfaCode: old } }), wrongMfaCode);
  assert.equal((await ada.client.call(stepUp, { body: { mfaCode: fresh } })).status, 200);
  assert.equal((await ada.client.call(getFactors)).data.recoveryCodesLeft, 9);
  const ben = await platform.newMember();
  assertRefused(await ben.client.attempt(renewRecoveryCodes), noFactor);
});

test("an administrator removes a member's factors; the member is notified, and the log records the reason", async () => {
  const ada = await withApp(platform, await platform.newMember());
  await elevate(ada);
  const params = { userId: ada.id };
  const seen = await admin.call(getOverviewOfUser, { params });
  assert.deepEqual(
    seen.data.factors.map(({ kind }) => kind),
    ['password', 'totp'],
  );
  const { data } = await admin.call(removeFactorsOfUser, { params, body: { reason: 'Lost the phone' } });
  assert.deepEqual(data, { factorsRemoved: 1 });
  assert.deepEqual((await ada.client.call(getFactors)).data, NONE);
  const mails = () => platform.mailsTo(ada.email);
  await until(
    async () => (await mails()).some(({ text }) => text.includes('our support removed')),
    'the mail about it',
  );
  const log = (await admin.call(listAudit, { query: { target: ada.id } })).data;
  assert.deepEqual(
    log.map(({ action, reason }) => [action, reason]),
    [['user.factors-removed', 'Lost the phone']],
  );
});
