import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteMailSuppression,
  deleteUser,
  forgotPassword,
  listAudit,
  listDeliveries,
  listMailSuppressions,
  sendNotification,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { bounceOf, confirmationOf, mailFeedback, PUBLISHED } from '../../../test/support/mail-feedback.ts';
import { type Member, startPlatform, WEBHOOK_SECRET } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { amazonSns } from '../../../test/support/sns.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { webhookNotConfigured, wrongWebhookSecret } from '../../kernel/operations/access.ts';
import { invalidPayload } from './invalid-payload.ts';
import { suppressionNotFound } from './suppressions.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;

const { post, dataOf, suppressed } = mailFeedback(platform);
const at = '2026-11-01T08:00:00.000Z';
const sns = amazonSns();
const ses = (message: object) => sns.signed({ ...PUBLISHED, Message: JSON.stringify(message) });
/** The examples of the services' documentation with a test address, and whether and how each suppresses it. */
const BODIES: Record<string, [make: (email: string) => unknown, kind: 'bounce' | 'complaint' | undefined]> = {
  'a plain bounce': [(email) => ({ email, kind: 'bounce', permanent: true, at }), 'bounce'],
  'a plain complaint': [(email) => ({ email, kind: 'complaint', permanent: true, at }), 'complaint'],
  'a plain complaint that is not called permanent': [
    (email) => ({ email, kind: 'complaint', permanent: false, at }),
    'complaint',
  ],
  'a plain passing bounce': [(email) => ({ email, kind: 'bounce', permanent: false, at }), undefined],
  'a permanent bounce of SES': [(email) => ses(bounceOf(email, 'Permanent')), 'bounce'],
  'a transient bounce of SES': [(email) => ses(bounceOf(email, 'Transient')), undefined],
  'a bounce of SES without an envelope': [(email) => bounceOf(email, 'Permanent'), 'bounce'],
  'a complaint of SES': [
    (email) =>
      ses({
        eventType: 'Complaint',
        complaint: {
          complainedRecipients: [{ emailAddress: email }],
          complaintFeedbackType: 'abuse',
          timestamp: '2016-01-27T14:59:38.237Z',
        },
      }),
    'complaint',
  ],
  'a complaint of SES that is none': [
    (email) => ({
      notificationType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: email }], complaintFeedbackType: 'not-spam' },
    }),
    undefined,
  ],
  'a permanent bounce of SES with a name': [(email) => bounceOf(`Ada <${email}>`, 'Permanent'), 'bounce'],
  'a delivery of SES': [
    (email) => ses({ notificationType: 'Delivery', delivery: { recipients: [email] } }),
    undefined,
  ],
  'a hard bounce of Postmark': [
    (Email) => ({
      RecordType: 'Bounce',
      ID: 42,
      Type: 'HardBounce',
      TypeCode: 1,
      Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
      Email,
      BouncedAt: '2019-11-05T16:33:54.9070259Z',
      Inactive: true,
    }),
    'bounce',
  ],
  'a soft bounce of Postmark': [(Email) => ({ RecordType: 'Bounce', Type: 'SoftBounce', Email }), undefined],
  'a complaint of Postmark': [
    (Email) => ({ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email, BouncedAt: at }),
    'complaint',
  ],
  'a suppression of Postmark': [
    (Recipient) => ({
      RecordType: 'SubscriptionChange',
      Recipient,
      SuppressSending: true,
      SuppressionReason: 'HardBounce',
      ChangedAt: '2020-02-01T10:53:34.416071Z',
    }),
    'bounce',
  ],
  'a bounce of SendGrid': [
    (email) => [
      {
        email,
        timestamp: 1_513_299_569,
        event: 'bounce',
        reason: '500 unknown recipient',
        status: '5.0.0',
        type: 'bounce',
      },
    ],
    'bounce',
  ],
  'a blocked message of SendGrid': [
    (email) => [{ email, timestamp: 1_513_299_569, event: 'bounce', type: 'blocked' }],
    undefined,
  ],
  'a spam report of SendGrid': [
    (email) => [
      { email: 'other@example.com', event: 'delivered', timestamp: 1 },
      { email, event: 'spamreport', timestamp: 1_513_299_569 },
    ],
    'complaint',
  ],
};

for (const [number, [what, [make, kind]]] of Object.entries(BODIES).entries())
  test(`${what} ${kind ? `suppresses the address as a ${kind}` : 'suppresses nothing'}`, async () => {
    const email = `Reader${number}@Example.com`;
    assert.deepEqual(Object.values((await dataOf(make(email))) ?? {}).at(-1), kind ? 1 : 0);
    const found = await suppressed(email);
    assert.deepEqual(
      [found?.kind, found?.email],
      kind ? [kind, email.toLowerCase()] : [undefined, undefined],
    );
    if (kind) assert.deepEqual(await post(make(email)).then(({ status }) => status), 200, 'repeated');
    assert.equal((await suppressed(email))?.id, found?.id);
  });

const onlyCodes = async ({ id }: Member) =>
  (await admin.call(listDeliveries, { query: { userId: id, channel: 'email' } })).data;

test('a suppressed address gets no mail but the codes that its owner asks for', async () => {
  const ada = await platform.newMember();
  await until(async () => (await platform.mailsTo(ada.email)).length > 0, 'the welcome');
  await post({ email: ada.email, kind: 'complaint', permanent: true, at });
  const { data } = await admin.call(sendNotification, {
    body: { userId: ada.id, type: 'alert', title: 'Closed', message: 'At once.' },
  });
  const delivery = async () =>
    (await onlyCodes(ada)).find(({ notificationId }) => notificationId === data.notification.id);
  await until(async () => (await delivery())?.status === 'suppressed', 'the decision');
  assert.equal((await delivery())?.suppressed, true);
  await platform.client.call(forgotPassword, { body: { email: ada.email } });
  await platform.mailTo(ada.email, 'email.password-reset');
  assert.deepEqual(
    (await platform.mailsTo(ada.email)).filter(({ kind }) => kind === 'email.notification'),
    [],
  );

  const params = { email: ada.email.toUpperCase() };
  const removed = await admin.call(deleteMailSuppression, { params, body: { reason: 'They asked' } });
  assert.equal(removed.data.email, ada.email);
  assertRefused(await admin.attempt(deleteMailSuppression, { params }), suppressionNotFound);
  const [entry] = (await admin.call(listAudit, { query: { action: 'mail.suppression-removed' } })).data;
  assert.deepEqual([entry?.reason, entry?.targetName], ['They asked', ada.email]);
  await admin.call(sendNotification, {
    body: { userId: ada.id, type: 'alert', title: 'Open', message: 'Again.' },
  });
  await platform.mailTo(ada.email, 'email.notification');
});

test('a suppression that was removed comes back by a newer report alone', async () => {
  const { email } = await platform.newMember();
  const report = (when: Date) => ({ email, kind: 'bounce', permanent: true, at: when.toISOString() });
  const first = report(new Date(platform.clock.now() - 60_000));
  await dataOf(first);
  assert.equal((await suppressed(email))?.kind, 'bounce');
  await admin.call(deleteMailSuppression, { params: { email }, body: { reason: 'The mailbox was full' } });
  assert.deepEqual(await dataOf(first), { received: 1, suppressed: 0 });
  await dataOf(report(new Date(platform.clock.now() - 30_000)));
  assert.equal(await suppressed(email), undefined);
  platform.clock.advance(1000);
  for (let time = 0; time < 2; time++)
    assert.deepEqual(await dataOf(report(platform.clock.date())), { received: 1, suppressed: 1 });
  assert.equal((await suppressed(email))?.kind, 'bounce');
});

test('a time is milliseconds or seconds, and is in UTC where it names no zone', async (t) => {
  const { TZ } = process.env;
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  process.env.TZ = 'America/New_York';
  const ms = Date.parse(at);
  for (const [place, given] of [at, '2026-11-01T08:00:00', '2026-11-01 08:00:00', ms, ms / 1000].entries()) {
    const email = `times-${place}@example.com`;
    await post({ email, kind: 'bounce', permanent: true, at: given });
    assert.equal((await suppressed(email))?.reportedAt, at, String(given));
  }
});

test('suppressions are listed newest first, and those of a deleted person are erased', async () => {
  const ada = await platform.newMember();
  for (const email of ['z@example.com', ada.email]) await post({ email, kind: 'bounce', permanent: true });
  const { data, body } = await admin.call(listMailSuppressions, { query: { limit: 1 } });
  assert.deepEqual([data[0]?.email, body.pagination.totalIsExact], [ada.email, true]);
  const rest = await admin.call(listMailSuppressions, { query: { limit: 1, before: data[0]?.id } });
  assert.equal(rest.data[0]?.email, 'z@example.com');
  await admin.call(deleteMailSuppression, { params: { email: ada.email } });
  await post({ email: ada.email, kind: 'bounce', permanent: true });
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await suppressed(ada.email)) === undefined, 'the erasure');
  const removals = async () =>
    (await admin.call(listAudit, { query: { action: 'mail.suppression-removed' } })).data;
  await until(async () => !JSON.stringify(await removals()).includes(ada.email), 'the erasure of the log');
});

test('the secret comes in a header, in the query, or as a password; without it nothing is read', async () => {
  const body = { email: 'q@example.com', kind: 'bounce', permanent: true };
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}`,
  });
  const secret = encodeURIComponent(WEBHOOK_SECRET);
  assert.equal((await post(body, { headers: {}, query: `?secret=${secret}` })).status, 200);
  assert.equal((await post(body, { headers: basic(WEBHOOK_SECRET) })).status, 200);
  const plain = { 'content-type': 'text/plain; charset=UTF-8', 'x-webhook-secret': WEBHOOK_SECRET };
  assert.equal((await post(ses(bounceOf('t@example.com', 'Permanent')), { headers: plain })).status, 200);
  const wrong: Record<string, string>[] = [
    {},
    basic('wrong'),
    { 'x-webhook-secret': 'wrong' },
    { authorization: 'Basic !' },
  ];
  for (const headers of wrong)
    assertRefused((await post('nonsense', { headers })) as never, wrongWebhookSecret);
  assertRefused((await post(body, { headers: {}, query: '?secret=wrong' })) as never, wrongWebhookSecret);
  const other = await fetch(`${platform.url}/v1/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  });
  assert.ok([401, 415].includes(other.status));
  assert.equal(webhookNotConfigured().status, 503);
});

test('a message within a message may contain what PostgreSQL cannot store, and is bounded', async () => {
  const bounced = (...recipients: object[]) => ({
    notificationType: 'Bounce',
    bounce: { bounceType: 'Permanent', bouncedRecipients: recipients },
  });
  const emailAddress = 'nul@example.com';
  const { status } = await post(ses(bounced({ emailAddress, diagnosticCode: '550 \0un\ud800known' })));
  assert.equal(status, 200);
  assert.equal((await suppressed(emailAddress))?.reason, '550 un\ufffdknown');
  const many = Array.from({ length: 1_001 }, (_, place) => ({ emailAddress: `r${place}@example.com` }));
  // Such an object cannot be converted to a text.
  const unconvertible = { toString: 1, valueOf: 1 };
  for (const body of [
    ses(bounced(...many)),
    bounced({ emailAddress: unconvertible }),
    bounced({}),
    { Type: 'SubscriptionConfirmation', SubscribeURL: unconvertible },
    { ...ses(bounced({})), SignatureVersion: unconvertible },
    { ...ses(bounced({})), Type: 'constructor', SignatureVersion: 'constructor' },
  ])
    assertRefused((await post(body)) as never, invalidPayload);
  const ofPostmark = { RecordType: 'Bounce', Email: 'p@example.com', Type: unconvertible };
  assert.deepEqual(await dataOf(ofPostmark), { received: 1, suppressed: 0 });
});

test('bodies that no service sends are refused, and subscriptions are confirmed at Amazon alone', async () => {
  const confirmation = (SubscribeURL: string) => sns.signed(confirmationOf(SubscribeURL));
  for (const body of [
    {},
    { email: 'a@example.com' },
    { email: 'a@example.com', kind: 'bounce' },
    { email: 1, kind: 'bounce', permanent: true },
    { email: 'a@example.com', kind: 'bounce', permanent: true, at: 'soon' },
    [{}],
    { notificationType: 'Bounce' },
    confirmation(''),
    confirmation('http://sns.us-east-1.amazonaws.com/?Token=1'),
    confirmation('https://sns.us-east-1.amazonaws.com.example.com/?Token=1'),
    confirmation('https://example.com/sns.us-east-1.amazonaws.com'),
    confirmation('https://sns.us-east-1.amazonaws.com:8443/?Token=1'),
  ])
    assertRefused((await post(body)) as never, invalidPayload, JSON.stringify(body));
  assertInvalid((await post('7')) as never);
  for (const email of ['nonsense', 'a b@example.com', '\u200b@example.com'])
    assert.deepEqual(await dataOf({ email, kind: 'bounce', permanent: true }), {
      received: 1,
      suppressed: 0,
    });
});

test('a confirmation that Amazon refuses is not taken for done', async (t) => {
  const body = sns.signed(confirmationOf('https://sns.us-west-2.amazonaws.com/?Token=2'));
  const { confirmation } = sns.now;
  t.after(() => Object.assign(sns.now, { confirmation }));
  sns.now.confirmation = () => new Response('expired', { status: 403 });
  assertRefused((await post(body)) as never, serviceUnavailable);
  sns.now.confirmation = confirmation;
  assert.deepEqual(await dataOf(body), { received: 0, suppressed: 0 });
});
