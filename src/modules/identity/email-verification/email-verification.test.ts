import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  buyKeys,
  createUser,
  createWallet,
  deleteOwnAccount,
  enrollInCourse,
  fundWalletAsAdmin,
  getAccessOfUser,
  getProfile,
  getUser,
  listUsersAsAdmin,
  resendVerification,
  signIn,
  signUp,
  updateUser,
  verifyEmail,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { type Answer, newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform, WEBHOOK_SECRET } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { authenticationRequired } from '../../../kernel/operations/access.ts';
import { emailNotVerified } from '../../../kernel/operations/verified-email.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/time.ts';
import { invalidVerificationCode } from './email-verification.ts';

const platform = await startPlatform({ VERIFIED_EMAIL: 'money' });
const { client, admin, clock } = platform;

const KIND = 'email.verification';
const newestTo = async (email: string, count: number) => {
  const ofKind = async () => (await platform.mailsTo(email)).filter(({ kind }) => kind === KIND);
  await until(async () => (await ofKind()).length >= count, `${count} mails to ${email}`);
  return (await ofKind())[0]?.text ?? '';
};
const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';
const linkIn = (text: string): string => /https?:\S+verify-email\/link\?token=[\w-]+/.exec(text)?.[0] ?? '';
const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const isVerified = async (member: Member) => (await member.client.call(getProfile)).data.emailVerified;
const verify = ({ client }: Pick<Member, 'client'>, code: string) =>
  client.attempt(verifyEmail, { body: { code } });

/** Signs a member up, and returns them with the mail by which they verify the address. */
async function newcomer(): Promise<{ member: Member; code: string; link: string; token: string }> {
  const member = await platform.newMember();
  const text = await newestTo(member.email, 1);
  const link = linkIn(text);
  return { member, code: codeIn(text), link, token: new URL(link).searchParams.get('token') ?? '' };
}

test('sign-up mails a code that verifies the address once', async () => {
  const { member, code } = await newcomer();
  assert.equal(await isVerified(member), false);
  const listed = { unverified: true, search: member.email };
  assert.equal((await admin.call(listUsersAsAdmin, { query: listed })).data.length, 1);
  assertRefused(await verify(member, wrongCode(code)), invalidVerificationCode);
  assert.deepEqual((await verify(member, code)).body.data, { emailVerified: true });
  assert.equal(await isVerified(member), true);
  assert.equal((await verify(member, code)).status, 200, 'verifying again');
  const user = (await admin.call(getUser, { params: { userId: member.id } })).data;
  assert.equal(user.emailVerified, true);
  assert.equal((await admin.call(listUsersAsAdmin, { query: listed })).data.length, 0);
  const others = { unverified: false, search: member.email };
  assert.equal((await admin.call(listUsersAsAdmin, { query: others })).data.length, 1);
});

test('the token of the link verifies without signing in, and the code needs the member', async () => {
  const { member, code, token } = await newcomer();
  assertRefused(await client.attempt(verifyEmail, { body: { code } }), authenticationRequired);
  assertInvalid(await client.attempt(verifyEmail, { body: {} }));
  assertInvalid(await member.client.attempt(verifyEmail, { body: { code, token } }));
  assertRefused(await client.attempt(verifyEmail, { body: { token: `${token}x` } }), invalidVerificationCode);
  assert.equal((await client.attempt(verifyEmail, { body: { token } })).status, 200);
  assert.equal(await isVerified(member), true);
  assert.equal((await client.attempt(verifyEmail, { body: { token } })).status, 200);
});

test('five wrong codes burn the code and not the link', async () => {
  const { member, code, token } = await newcomer();
  for (let tries = 0; tries < 5; tries++)
    assertRefused(await verify(member, wrongCode(code)), invalidVerificationCode);
  assertRefused(await verify(member, code), invalidVerificationCode);
  assert.equal((await client.attempt(verifyEmail, { body: { token } })).status, 200);
});

test('of many wrong codes at once five are judged', async () => {
  const { member, code } = await newcomer();
  const all = await Promise.all(Array.from({ length: 20 }, () => verify(member, wrongCode(code))));
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([400]));
  assertRefused(await verify(member, code), invalidVerificationCode);
});

test('the page of the link changes nothing until its button is pressed', async () => {
  const { member, link } = await newcomer();
  const browser = { headers: { accept: 'text/html' } };
  const page = await fetch(link, browser);
  assert.deepEqual([page.status, page.headers.get('referrer-policy')], [200, 'no-referrer']);
  assert.match(await page.text(), /<form method="post">/);
  assert.equal((await fetch(link, { method: 'HEAD', ...browser })).status, 200);
  assert.equal(await isVerified(member), false);
  const pressed = await fetch(link, {
    method: 'POST',
    headers: { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  assert.deepEqual([pressed.status, await isVerified(member)], [200, true]);
  assert.match(await pressed.text(), /is verified/);
  const broken = await fetch(`${link}x`, browser);
  assert.deepEqual([broken.status, /does not work/.test(await broken.text())], [400, true]);
  assert.equal((await fetch(`${link}x`, { method: 'POST', headers: browser.headers })).status, 400);
});

test('money does not move before the address is verified, and does afterwards under the same key', async () => {
  const { member, code } = await newcomer();
  const key = { 'idempotency-key': `verified-${member.id}` };
  const buy = () => member.client.with(key).attempt(buyKeys, { body: { amount: 10 } });
  const withdraw = () => member.client.attempt(withdrawKeys, { body: { amount: 10 } });
  const { course } = await newCourse(platform, { course: { price: 5 } });
  const study = () => member.client.attempt(enrollInCourse, { params: { courseId: course.id }, body: {} });
  await member.client.call(createWallet);
  await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: 100, reason: 'to spend' } });
  for (const refused of [await buy(), await withdraw(), await study()])
    assertRefused(refused, emailNotVerified);
  assert.equal((await verify(member, code)).status, 200);
  for (const done of [await buy(), await withdraw(), await study()])
    assert.equal(done.status, 201, JSON.stringify(done.body));
});

test('an address that is cleared while money begins to move stops it', async () => {
  const { member, code } = await newcomer();
  const { course } = await newCourse(platform, { course: { price: 5 } });
  await member.client.call(createWallet);
  await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: 100, reason: 'to spend' } });
  await verify(member, code);
  const attempts = [
    () => member.client.attempt(withdrawKeys, { body: { amount: 10 } }),
    () => member.client.attempt(enrollInCourse, { params: { courseId: course.id }, body: {} }),
    () => member.client.attempt(buyKeys, { body: { amount: 100 } }),
    () =>
      member.client.attempt(deleteOwnAccount, { body: { password: PASSWORD, remainingKeys: 'withdraw' } }),
  ];
  for (const attempt of attempts) {
    await platform.database.execute('update identity.user set email_verified = true where id = $1', [
      member.id,
    ]);
    let answering: Promise<Answer> | undefined;
    await holding(platform.database, async (tx) => {
      await tx.execute('update identity.user set email_verified = false where id = $1', [member.id]);
      answering = untilAvailable<Answer>(attempt);
      // The request has passed the first check, which read the address before, and keeps trying to lock the member.
      await sleep(300);
    });
    assertRefused(await (answering as NonNullable<typeof answering>), emailNotVerified);
  }
});

test('leaving with the Keys paid out takes a verified address, and giving them up does not', async () => {
  const { member, code } = await newcomer();
  await member.client.call(createWallet);
  await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: 100, reason: 'to leave with' } });
  const leave = ({ client }: Member, remainingKeys: 'withdraw' | 'forfeit') =>
    client.attempt(deleteOwnAccount, { body: { password: PASSWORD, remainingKeys } });
  assertRefused(await leave(member, 'withdraw'), emailNotVerified);
  await verify(member, code);
  assert.equal((await leave(member, 'withdraw')).status, 200);
  assert.equal((await leave((await newcomer()).member, 'forfeit')).status, 200);
});

test('another e-mail is not verified and is mailed, and the same in other letters stays', async () => {
  const { member, code, token } = await newcomer();
  await verify(member, code);
  const change = (email: string) =>
    platform.admin.call(updateUser, { params: { userId: member.id }, body: { email } });
  assert.equal((await change(member.email.toUpperCase())).data.emailVerified, true);
  const next = newEmail();
  assert.equal((await change(next)).data.emailVerified, false);
  assertRefused(
    await client.attempt(verifyEmail, { body: { token } }),
    invalidVerificationCode,
    'it was mailed to another address',
  );
  assert.equal((await verify(member, codeIn(await newestTo(next, 1)))).status, 200);
});

test('users made by administrators are mailed, and the first administrator counts as verified', async () => {
  const email = newEmail();
  const made = await platform.admin.call(createUser, { body: { email, firstName: 'A', lastName: 'B' } });
  assert.equal(made.data.emailVerified, false);
  const link = linkIn(await newestTo(email, 1));
  assert.equal((await fetch(link, { method: 'POST' })).status, 200);
  const first = await platform.admin.call(getUser, { params: { userId: platform.adminId } });
  assert.equal(first.data.emailVerified, true);
});

test('a complaint clears the mark once, however often it is reported', async () => {
  const { member, code, token } = await newcomer();
  await verify(member, code);
  const at = clock.date().toISOString();
  const report = () =>
    fetch(`${platform.url}/v1/webhooks/mail`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-secret': WEBHOOK_SECRET,
      },
      body: JSON.stringify({
        RecordType: 'SpamComplaint',
        Type: 'SpamComplaint',
        Email: member.email,
        BouncedAt: at,
      }),
    });
  const answered = await report();
  assert.equal(answered.status, 200, await answered.clone().text());
  assert.equal(await isVerified(member), false);
  assertRefused(await verify(member, code), invalidVerificationCode, 'mailed before the complaint');
  assertRefused(await client.attempt(verifyEmail, { body: { token } }), invalidVerificationCode);
  await member.client.call(resendVerification);
  assert.equal((await verify(member, codeIn(await newestTo(member.email, 2)))).status, 200);
  await report();
  assert.equal(await isVerified(member), true);
});

test('where signing in takes a verified address, a right password mails a code and a wrong one does not', async () => {
  const strict = await startPlatform({ VERIFIED_EMAIL: 'signin' });
  const email = newEmail();
  const { data, status } = await strict.client.call(signUp, {
    body: { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  assert.equal(status, 201);
  const enter = (password: string, on: 'web' | 'app' = 'web') =>
    strict.client.attempt(signIn, { body: { email, password, platform: on } });
  const mails = async () => (await strict.mailsTo(email)).filter(({ kind }) => kind === KIND).length;
  const reasons = async () =>
    (await strict.admin.call(getAccessOfUser, { params: { userId: data.user.id } })).data
      .filter(({ platform: on }) => on === 'web' || on === 'app')
      .map(({ reason }) => reason);
  assert.deepEqual(await reasons(), ['unverified', 'unverified']);
  assertRefused(await enter('a wrong password'), authenticationFailed);
  assertRefused(await enter(PASSWORD, 'app'), emailNotVerified, 'judged before the purchase');
  // The mails are requested one after the other, because concurrent mails arrive in any order.
  for (const count of [2, 3, 4]) {
    await until(async () => (await mails()) === count, `${count} mails`);
    assertRefused(await enter(PASSWORD), emailNotVerified, 'three mails within the hour');
  }
  const [newest] = (await strict.mailsTo(email)).filter(({ kind }) => kind === KIND);
  const session = strict.client.as(data.accessToken);
  assert.equal((await verify({ client: session }, codeIn(newest?.text ?? ''))).status, 200);
  assert.equal((await enter(PASSWORD)).status, 200);
  assert.equal(await mails(), 4);
  assert.deepEqual((await reasons()).sort(), ['no_sku', 'ok']);
});

test('code and link end after a day', async () => {
  const { member, code, token } = await newcomer();
  clock.advance(DAY_MS);
  const { data } = await client.call(signIn, {
    body: { email: member.email, password: PASSWORD, platform: 'web' },
  });
  assertRefused(await verify({ client: client.as(data.accessToken) }, code), invalidVerificationCode);
  assertRefused(await client.attempt(verifyEmail, { body: { token } }), invalidVerificationCode);
});

test('a new mail replaces the one before, and three an hour are sent', async () => {
  const { member, code, token } = await newcomer();
  const resend = () => member.client.attempt(resendVerification);
  const many = await Promise.all(Array.from({ length: 12 }, () => untilAvailable(resend)));
  assert.deepEqual(many.map(({ status }) => status).sort(), [...Array(3).fill(202), ...Array(9).fill(429)]);
  const refused = many.find(({ status }) => status === 429);
  assert.ok(Number(refused?.headers.get('retry-after')) > 3000);
  await newestTo(member.email, 4);
  assertRefused(await verify(member, code), invalidVerificationCode, 'replaced');
  assertRefused(await client.attempt(verifyEmail, { body: { token } }), invalidVerificationCode);
  clock.advance(HOUR_MS);
  const again = client.as(
    (await client.call(signIn, { body: { email: member.email, password: PASSWORD, platform: 'web' } })).data
      .accessToken,
  );
  assert.equal((await again.attempt(resendVerification)).status, 202);
  assert.equal((await verify({ client: again }, codeIn(await newestTo(member.email, 5)))).status, 200);
  const before = (await platform.mailsTo(member.email)).length;
  assert.equal((await again.attempt(resendVerification)).status, 202, 'without a mail');
  assert.equal((await platform.mailsTo(member.email)).length, before);
});
