import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPreferences, sendNotification, updateUser } from '../../../sdk/src/index.ts';
import type { Envelope } from '../../../test/support/answer.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Mail } from '../../../test/support/received.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { routeNotFound } from '../../gateway/http/failures.ts';
import { unsupportedMediaType } from '../../gateway/http/json-body.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const mailsTo = async ({ email }: Member) =>
  (await platform.mailsTo(email)).filter(({ kind }) => kind === 'email.notification');
const send = async ({ id }: Member, more: object = {}) =>
  (
    await admin.call(sendNotification, {
      body: {
        userId: id,
        type: 'reminder',
        title: 'Soon',
        message: 'It begins.',
        channels: ['email'],
        ...more,
      },
    })
  ).data;
const hasMails = async ({ client }: Member): Promise<boolean> =>
  (await client.call(getPreferences)).data.preferences.email.enabled;
/** A member with a mail, and the link in its header. */
async function newReader(): Promise<{ member: Member; link: string; mail: Mail }> {
  const member = await platform.newMember();
  await send(member);
  await until(async () => (await mailsTo(member)).length === 1, 'the mail comes');
  const [mail] = await mailsTo(member);
  assert.ok(mail);
  const link = /^<(https?:\/\/[^<>]+)>$/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] as string;
  return { member, link, mail };
}
const post = (link: string, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(link, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: body as string,
    redirect: 'manual',
  });
const multipart = (boundary: string, end = '\r\n') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--${end}`;

test('one-click unsubscribing accepts all forms in which mail programs send it', async () => {
  const ways: [string, (link: string) => Promise<Response>][] = [
    ['form', (link) => post(link, 'application/x-www-form-urlencoded', ONE_CLICK)],
    ['charset', (link) => post(link, 'application/x-www-form-urlencoded; charset=UTF-8', ONE_CLICK)],
    ['multipart', (link) => post(link, 'multipart/form-data; boundary=b1', multipart('b1'))],
    ['quoted', (link) => post(link, 'multipart/form-data; boundary="=_b:2"', multipart('=_b:2', ''))],
    ['empty', (link) => fetch(link, { method: 'POST' })],
  ];
  for (const [name, click] of ways) {
    const { member, link, mail } = await newReader();
    assert.equal(mail.headers['list-unsubscribe-post'], ONE_CLICK);
    const answer = await click(link);
    assert.equal(answer.status, 200, `${name}: ${await answer.clone().text()}`);
    assert.deepEqual(((await answer.json()) as Envelope).data, { email: false }, name);
    assert.equal(await hasMails(member), false, name);
  }
});

test('the text and the HTML of a mail contain the link to unsubscribe', async () => {
  const { link, mail } = await newReader();
  assert.ok(mail.text.includes(link), mail.text);
  assert.ok(mail.html.includes(`href="${link}"`), mail.html);
});

test('GET shows a page with a button, and neither GET nor HEAD unsubscribes', async () => {
  const { member, link } = await newReader();
  const page = await fetch(link);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(
    await page.text(),
    /<form method="post">[\s\S]*<button name="List-Unsubscribe" value="One-Click"/,
  );
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/);
  assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
  assert.equal(await hasMails(member), true);
  const pressed = await post(link, 'application/x-www-form-urlencoded', ONE_CLICK, {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  });
  assert.equal(pressed.status, 200);
  assert.match(await pressed.text(), /You are unsubscribed/);
  assert.equal(await hasMails(member), false);
});

test('a forged link is refused without effect', async () => {
  const { member, link } = await newReader();
  const other = await newReader();
  const token = new URL(link).searchParams.get('token') as string;
  const [userId, signature] = token.split('.') as [string, string];
  for (const forged of [
    `${other.member.id}.${signature}`,
    `${userId}.${signature.slice(0, -1)}`,
    `${userId}.${signature}.x`,
    `${userId}.`,
    `.${signature}`,
    userId.toUpperCase(),
    'x',
  ]) {
    const bad = link.replace(token, forged);
    const answer = await post(bad, 'application/x-www-form-urlencoded', ONE_CLICK);
    assert.deepEqual(
      [answer.status, ((await answer.json()) as Envelope).error],
      [400, 'INVALID_LINK'],
      forged,
    );
    const page = await fetch(bad, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 400);
    assert.match(await page.text(), /This link does not work/);
  }
  assert.deepEqual([await hasMails(member), await hasMails(other.member)], [true, true]);
});

test('the link works when the account is inactive', async () => {
  const { member, link } = await newReader();
  assert.equal(
    (await admin.call(updateUser, { params: { userId: member.id }, body: { isActive: false } })).status,
    200,
  );
  assert.equal((await post(link, 'application/x-www-form-urlencoded', ONE_CLICK)).status, 200);
  const rows = await platform.database.all(
    "select preferences #>> '{email,enabled}' as enabled from notifications.preference where user_id = $1",
    [member.id],
  );
  assert.deepEqual(rows, [{ enabled: 'false' }]);
});

test('no other operation accepts forms', async () => {
  const ada = await platform.newMember();
  const type = (name: string) => ada.client.with({ 'content-type': name });
  const form = 'application/x-www-form-urlencoded';
  const before = await platform.client
    .with({ 'content-type': form })
    .sendText('POST', '/v1/auth/signin', 'a=b');
  assertRefused(before, unsupportedMediaType);
  for (const name of [form, 'multipart/form-data; boundary=b1']) {
    const answer = await type(name).sendText('PUT', '/push-notifications/preferences', 'preferences=x');
    assertRefused(answer, unsupportedMediaType);
    assertRefused(await type(name).sendText('POST', '/v1/nowhere', 'a=b'), routeNotFound);
  }
});

test('oversized and malformed forms are refused', async () => {
  const { link, member } = await newReader();
  const form = 'application/x-www-form-urlencoded';
  assert.equal((await post(link, form, `x=${'y'.repeat(20_000)}`)).status, 413);
  assert.equal((await post(link, 'multipart/form-data', 'x')).status, 400);
  assert.equal((await post(link, 'multipart/form-data; boundary=b', 'nothing of the kind')).status, 400);
  assert.equal((await post(link, form, 'a=%00')).status, 400);
  assert.equal((await post(link, 'text/plain', ONE_CLICK)).status, 415);
  // One name eight thousand times, and as many parts.
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  for (const [type, body] of [
    [form, 'a&'.repeat(8_000)],
    [form, `${'a=1&'.repeat(100)}${ONE_CLICK}`],
    ['Multipart/Form-Data; boundary=b', `${part.repeat(102)}--b--\r\n`],
  ] as const) {
    const answer = await post(link, type, body);
    assert.deepEqual([answer.status, ((await answer.json()) as Envelope).error], [400, 'MALFORMED_FORM']);
  }
  assert.equal(await hasMails(member), true);
  assert.equal((await post(link, form, `${'a=1&'.repeat(99)}${ONE_CLICK}`)).status, 200);
  assert.equal(await hasMails(member), false);
});
