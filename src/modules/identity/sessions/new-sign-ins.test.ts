import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser, getProfile, signIn as signInOperation, signInSso } from '../../../../sdk/src/index.ts';
import { addKey, trySignIn } from '../../../../test/support/authenticator.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.0/8' });
const { client, clock } = platform;

const KIND = 'email.new-sign-in';
const HOME = '127.0.0.1';
const toldTo = async (email: string) => (await platform.mailsTo(email)).filter(({ kind }) => kind === KIND);
const linkIn = (text = ''): string => /https?:\S+new-sign-in\?token=[\w.-]+/.exec(text)?.[0] ?? '';

async function signIn(email: string, { device, from = HOME }: { device?: string; from?: string } = {}) {
  const place = { platform: 'web' as const, ...(device !== undefined && { device }) };
  const { data } = await client
    .with({ 'x-forwarded-for': from })
    .call(signInOperation, { body: { email, password: PASSWORD, ...place } });
  return data;
}

/**
 * Waits until a member has received this many mails. A surplus mail would be found too, because a later sign-in's
 * mail comes after it.
 */
async function assertTold(email: string, times: number): Promise<string> {
  const queued = () =>
    platform.database.count(
      `select count(*) from jobs.job where name = 'on.email.new-sign-in.mail' and state <> 'completed'`,
    );
  await until(async () => (await toldTo(email)).length >= times, `${times} mails`);
  await until(async () => (await platform.metric('outbox_events')) === 0, 'an empty outbox');
  await until(async () => (await queued()) === 0, 'no mail under way');
  const told = await toldTo(email);
  assert.equal(told.length, times);
  return told[0]?.text ?? '';
}

const tokensOf = ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => ({
  accessToken,
  refreshToken,
});
const isAlive = async (accessToken: string) =>
  (await client.as(accessToken).attempt(getProfile)).status === 200;

test('a sign-in from a new device name or address range is mailed once, and one from a known place is not', async () => {
  const { email } = await platform.newMember();
  await signIn(email);
  await assertTold(email, 0);
  await signIn(email, { device: 'iPhone 17' });
  assert.match(await assertTold(email, 1), /by the device iPhone 17, from the address 127\.0\.0\.1/);
  await signIn(email, { from: '198.51.100.7' });
  await signIn(email, { device: 'iPhone 17', from: '198.51.100.200' });
  assert.match(await assertTold(email, 2), /198\.51\.100\.7/);
  await signIn(email, { from: '2001:db8:1:2:3::1' });
  await signIn(email, { from: '2001:db8:1:2:ffff::9' });
  await assertTold(email, 3);
  await signIn(email, { from: '2001:db8:1:3::1' });
  await assertTold(email, 4);
});

test('a device name that could be a link or an advertisement is left out', async () => {
  const { email } = await platform.newMember();
  await signIn(email, { device: 'Call +48 600100200 or visit evil.example' });
  const text = await assertTold(email, 1);
  assert.ok(!text.includes('evil.example') && !text.includes('600100200'));
});

test('the link ends that session once its button is pressed, and works for a week', async () => {
  const { email } = await platform.newMember();
  const { accessToken } = await signIn(email, { device: 'stolen' });
  const link = linkIn(await assertTold(email, 1));
  const browser = { headers: { accept: 'text/html' } };
  const press = (to: string) => fetch(to, { method: 'POST', ...browser });
  assert.match(await (await fetch(link, browser)).text(), /<form method="post">/);
  assert.equal((await fetch(link, { method: 'HEAD', ...browser })).status, 200);
  assert.equal(await isAlive(accessToken), true);
  assert.equal((await press(`${link}x`)).status, 400);
  const pressed = await Promise.all(Array.from({ length: 5 }, () => press(link)));
  assert.deepEqual(pressed.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
  assert.equal(await isAlive(accessToken), false);
  assert.equal((await fetch(link, browser)).status, 400);
  assert.equal((await fetch(link)).status, 400, 'also without a page');

  const late = await signIn(email, { device: 'stolen too' });
  const again = linkIn(await assertTold(email, 2));
  clock.advance(7 * DAY_MS);
  assert.equal((await press(again)).status, 400);
  const sessions = await platform.database.count(
    `select count(*) from identity.session where device = 'stolen too' and ended_at is null`,
  );
  assert.equal(sessions, 1);
  assert.ok(late.accessToken);
  clock.advance(-7 * DAY_MS);
});

test('the link also ends the session that has replaced it on its device, and the place counts as new again', async () => {
  const { email } = await platform.newMember();
  const thief = { device: 'stolen', from: '203.0.113.66' };
  const first = await signIn(email, thief);
  const link = linkIn(await assertTold(email, 1));
  const { data: second } = await client.with({ 'x-forwarded-for': thief.from }).call(signInOperation, {
    body: { email, password: PASSWORD, platform: 'web', device: thief.device, deviceId: 'another' },
  });
  await assertTold(email, 1);
  assert.deepEqual([await isAlive(first.accessToken), await isAlive(second.accessToken)], [false, true]);
  assert.equal((await fetch(link)).status, 200);
  assert.equal((await fetch(link, { method: 'POST' })).status, 200);
  assert.equal(await isAlive(second.accessToken), false);

  const third = await signIn(email, thief);
  await assertTold(email, 2);
  assert.equal((await fetch(link, { method: 'POST' })).status, 400, 'once');
  assert.equal(await isAlive(third.accessToken), true);
});

test('the link also ends what the session has passed on by single sign-on, and other platforms of its device', async () => {
  const { id, email, accessToken } = await platform.newMember();
  const thief = { device: 'stolen', from: '203.0.113.67' };
  const own = await signIn(email, { device: 'own' });
  await assertTold(email, 1);
  const first = await signIn(email, thief);
  const link = linkIn(await assertTold(email, 2));
  const from = client.with({ 'x-forwarded-for': thief.from });
  const { data: passedOn } = await from.call(signInSso, {
    body: { userId: id, platform: 'web', device: 'passed on', ...tokensOf(first) },
  });
  const { data: elsewhere } = await from.call(signInOperation, {
    body: { email, password: PASSWORD, platform: 'backoffice', device: thief.device },
  });
  const of = [accessToken, own, first, passedOn, elsewhere].map((one) =>
    typeof one === 'string' ? one : one.accessToken,
  );
  const areAlive = () => Promise.all(of.map(isAlive));
  assert.deepEqual(await areAlive(), [true, true, true, true, true]);
  const ended = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } });
  assert.equal(ended.status, 200);
  assert.deepEqual(await areAlive(), [true, true, false, false, false]);
});

test('twenty concurrent sign-ins from a new device cause one mail', async () => {
  const { email } = await platform.newMember();
  await Promise.all(Array.from({ length: 20 }, () => signIn(email, { device: 'new phone' })));
  await assertTold(email, 1);
});

test('a sign-in by passkey from a new place is mailed', async () => {
  const ada = await platform.newMember();
  const { made } = await addKey(ada.client);
  const from = client.with({ 'x-forwarded-for': '198.51.100.77' });
  assert.equal((await trySignIn(from, made)).status, 200);
  await assertTold(ada.email, 1);
});

test('single sign-on from a new place is mailed, as is the first sign-in of a user created by an administrator', async () => {
  const { id, email, accessToken, refreshToken }: Member = await platform.newMember();
  await client.call(signInSso, {
    body: { userId: id, platform: 'web', device: 'by sso', accessToken, refreshToken },
  });
  await assertTold(email, 1);
  const made = newEmail();
  const draft = { email: made, password: PASSWORD, firstName: 'A', lastName: 'B' };
  await platform.admin.call(createUser, { body: draft });
  await signIn(made);
  await assertTold(made, 1);
});

test('the places of sessions from before an upgrade count as known', async () => {
  const { email, id } = await platform.newMember();
  await signIn(email, { device: 'old phone', from: '203.0.113.9' });
  await assertTold(email, 1);
  await platform.database.execute('delete from identity.known_place where user_id = $1', [id]);
  await signIn(email, { device: 'old phone', from: '203.0.113.200' });
  await assertTold(email, 1);
  await signIn(email);
  await assertTold(email, 1);
  await signIn(email, { device: 'new phone' });
  await assertTold(email, 2);
});

test('of a member two hundred places are remembered', async () => {
  const { email, id } = await platform.newMember();
  await platform.database.execute(
    `insert into identity.known_place (user_id, kind, name, seen_at)
     select $1, 'device', 'device ' || n, now() - interval '1 year' from generate_series(1, 250) n`,
    [id],
  );
  await signIn(email, { device: 'one more' });
  const count = await platform.database.count(
    'select count(*) from identity.known_place where user_id = $1',
    [id],
  );
  assert.equal(count, 200);
  await signIn(email, { device: 'one more' });
  await assertTold(email, 1);
});
