import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteOwnAccount,
  forgotPassword,
  listDeliveries,
  signIn,
  signUp as signUpOperation,
  verifyEmail,
} from '../../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { smtpMailer } from '../../external/mail/smtp.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { layOut } from './layout.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const control = (mode: string) => platform.standIn('mail', { mode });
const { mailsTo } = platform;
const signUp = async (firstName: string): Promise<string> => {
  const email = newEmail();
  const draft = { email, password: PASSWORD, firstName, lastName: 'L', platform: 'web' as const };
  assert.equal((await platform.client.call(signUpOperation, { body: draft })).status, 201);
  return email;
};

test('a mail has a subject, plain text and HTML, and headers that say it is automatic', async () => {
  const email = await signUp('Ada');
  const mail = await platform.mailTo(email, 'email.welcome');
  assert.equal(mail.subject, 'Welcome, Ada');
  assert.match(mail.text, /^Hello Ada,\s+your account is ready/);
  assert.match(mail.html, /<h1[^>]*>Welcome, Ada<\/h1>/);
  const headers = (await mailsTo(email))[0]?.headers ?? {};
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.match(headers['message-id'] as string, /^<[0-9a-f]{24}@platform\.localhost>$/);
  assert.equal(
    headers['list-unsubscribe'],
    undefined,
    'mails that a member requested have no unsubscribe link',
  );
});

test('what a mail offers is a button in its body, and a line before the signature', () => {
  const action = { label: 'End that session', url: 'https://a.example/?a=1&b=2' };
  const { html, text } = layOut({ subject: 's', paragraphs: ['p'], action });
  assert.match(html, /<a href="https:\/\/a\.example\/\?a=1&#38;b=2"[^>]*>End that session<\/a><\/p>\n<\/td>/);
  assert.match(text, /^p\n\nEnd that session: https:\/\/a\.example\/\?a=1&b=2\n\n-- \n/);
});

test('names of members are escaped in the HTML and in the headers of mails', async () => {
  const name = '<img src=x onerror=alert(1)>\r\nBcc: evil@example.com';
  const email = await signUp(name);
  const mail = await platform.mailTo(email, 'email.welcome');
  assert.ok(!mail.html.includes('<img') && !mail.html.includes('evil'), mail.html);
  assert.equal(mail.subject, 'Welcome');
  const headers = (await mailsTo(email))[0]?.headers ?? {};
  assert.equal(headers.bcc, undefined);
  assert.deepEqual(await mailsTo('evil@example.com'), []);
});

test('names that contain or resemble a link are left out of mails', async () => {
  const mailed = async (firstName: string) => {
    const { subject, text } = await platform.mailTo(await signUp(firstName), 'email.welcome');
    return `${subject} / ${text.split('\n', 1)[0]}`;
  };
  const links = [
    'Win money http://evil.example',
    'evil.example',
    'www.evil.example/x',
    'mail me@evil.example',
  ];
  const tricks = [
    'http:evil',
    'evil .example',
    'evil。example',
    'call 0900 123456',
    'javascript:alert(1)',
    '[a](b)',
  ];
  for (const name of [...links, ...tricks]) assert.equal(await mailed(name), 'Welcome / Hello,', name);
  for (const name of ['Zoë', "Ana-María O'Neill", 'J. R. R.', 'St. John', 'Łukasz II', '明'])
    assert.equal(await mailed(name), `Welcome, ${name} / Hello ${name},`);
});

test('names of members are escaped in every kind of mail', () => {
  const { html, subject } = layOut({ subject: '<b>a</b>\r\nBcc: x', paragraphs: ['<img src=x>'] });
  assert.equal(subject, '<b>a</b> Bcc: x');
  assert.ok(!html.includes('<img') && !html.includes('<b>') && html.includes('&#60;img src=x'));
});

test('mails sent while the mail server is down arrive later, each once', async () => {
  await control('fail');
  const emails = await Promise.all(Array.from({ length: 12 }, (_, place) => signUp(`Member ${place}`)));
  await sleep(1500);
  for (const email of emails) assert.deepEqual(await mailsTo(email), []);
  await control('ok');
  for (const email of emails)
    for (const kind of ['email.verification', 'email.welcome']) await platform.mailTo(email, kind);
  await sleep(1500);
  for (const email of emails) {
    const kinds = (await mailsTo(email)).map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ['email.verification', 'email.welcome']);
  }
});

test('a mail that is permanently refused is not retried', async () => {
  await control('reject');
  const email = await signUp('Nobody');
  const welcomes = (isDone: boolean) =>
    platform.database.count(
      `select count(*) from jobs.job where name = 'on.email.welcome.mail' and (state = 'completed') = $1
         and data::text like '%' || (select id from identity.user where email = $2) || '%'`,
      [isDone, email],
    );
  await until(async () => (await welcomes(true)) === 1, 'the refusal');
  await control('ok');
  await sleep(1500);
  assert.deepEqual(await mailsTo(email), []);
  assert.equal(await welcomes(false), 0);
});

test('the mail adapter distinguishes an unreachable server from a refusal', async () => {
  const mail = {
    id: 'a'.repeat(24),
    kind: 'email.test',
    to: 'x@example.com',
    ...layOut({ subject: 's', paragraphs: ['p'] }),
  };
  const nowhere = smtpMailer({ url: 'smtp://127.0.0.1:1', from: 'us@example.com' });
  await assert.rejects(nowhere.send(mail), (error: Error) => error.name !== 'MailRefused');
  nowhere.close();
});

/** Hours of the limit begin with those of the clock. */
const beginHour = () => platform.clock.advance(HOUR_MS - (platform.clock.now() % HOUR_MS));

test('an address gets at most ten mails of one kind within an hour, and one that says that there are more', async () => {
  beginHour();
  const email = await signUp('Ada');
  let admin = await platform.signInAdmin();
  const signInFrom = (device: string) =>
    platform.client.call(signIn, { body: { email, password: PASSWORD, platform: 'web', device } });
  for (let number = 0; number < 13; number++) await signInFrom(`phone ${number}`);
  const deliveries = async (status: 'sent' | 'suppressed') => {
    const query = { status, channel: 'email', limit: 100 } as const;
    const { data } = await admin.call(listDeliveries, { query });
    return data.filter((one) => one.type === 'email.new-sign-in' && one.user?.email === email);
  };
  await until(async () => (await deliveries('suppressed')).length === 2, 'the mails beyond the limit');
  const [refused] = await deliveries('suppressed');
  assert.match(refused?.lastError ?? '', /more than 10 mails of this kind/);
  const sent = async () => (await mailsTo(email)).filter(({ kind }) => kind === 'email.new-sign-in');
  await until(async () => (await sent()).length === 11, 'the mails within the limit');
  const summaries = (await sent()).filter(({ subject }) => /than we mail one by one/.test(subject));
  assert.equal(summaries.length, 1, 'which says that there are more');
  platform.clock.advance(HOUR_MS);
  admin = await platform.signInAdmin();
  await signInFrom('one more');
  await until(async () => (await deliveries('sent')).length === 12, 'the mail of the next hour');
});

test('mails with codes that strangers cause wait for the next hour, and only the newest is sent then', async () => {
  beginHour();
  const { client, clock } = platform;
  const email = newEmail();
  const body = { email, password: PASSWORD, firstName: 'Ada', lastName: 'L', platform: 'web' as const };
  const verifications = async () =>
    (await mailsTo(email)).filter(({ kind }) => kind === 'email.verification');
  const begin = async () => (await client.call(signUpOperation, { body })).data;
  for (let number = 1; number <= 13; number++) {
    const { accessToken } = await begin();
    if (number <= 10)
      await until(async () => (await verifications()).length === number, `mail ${number} of the stranger`);
    await client.as(accessToken).call(deleteOwnAccount, { body: { password: PASSWORD } });
  }
  await begin();
  const waiting = () =>
    platform.database.count(
      `select count(*) from jobs.job where name = 'on.email.verification.mail' and state < 'completed'`,
    );
  const judgeAgain = () =>
    platform.database.execute(
      `update jobs.job set start_after = now() where name = 'on.email.verification.mail' and state = 'created'`,
    );
  // Those to deleted accounts would have the erasure of these repeated for an hour.
  await until(async () => {
    await judgeAgain();
    return (await waiting()) === 1;
  }, 'the mail of the account that is there waits, and no others');
  const longest = `select count(*) from jobs.job where name = 'on.email.verification.mail' and start_after > now() + interval '5 minutes'`;
  assert.equal(await platform.database.count(longest), 0);
  assert.equal((await verifications()).length, 10, 'nobody is flooded');
  clock.advance(HOUR_MS);
  await until(async () => {
    await judgeAgain();
    return (await verifications()).length === 11;
  }, 'the mail to the owner');
  const code = /\b\d{6}\b/.exec((await verifications())[0]?.text ?? '')?.[0] ?? '';
  const { data } = await client.call(signIn, { body: { email, password: PASSWORD, platform: 'web' } });
  await client.as(data.accessToken).call(verifyEmail, { body: { code } });
  await until(async () => (await waiting()) === 0, 'no more mails that wait');
  assert.equal((await verifications()).length, 11);
});

test('a mail whose code expired while the mail server was down is not sent afterwards', async () => {
  const email = await signUp('Ada');
  await platform.mailTo(email, 'email.welcome');
  await control('fail');
  await platform.client.call(forgotPassword, { body: { email } });
  let admin = await platform.signInAdmin();
  const deliveryOf = async () =>
    (await admin.call(listDeliveries, { query: { channel: 'email', limit: 100 } })).data.find(
      ({ type, user }) => type === 'email.password-reset' && user?.email === email,
    );
  await until(async () => (await deliveryOf())?.lastError !== undefined, 'the first attempt');
  platform.clock.advance(HOUR_MS + 1);
  admin = await platform.signInAdmin();
  await control('ok');
  await until(async () => (await deliveryOf())?.status === 'suppressed', 'the end of the attempts');
  assert.match((await deliveryOf())?.lastError ?? '', /what it brings has expired/);
  assert.deepEqual(
    (await mailsTo(email)).filter(({ kind }) => kind === 'email.password-reset'),
    [],
  );
});
