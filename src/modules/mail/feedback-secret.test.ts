import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailFeedback } from '../../../test/support/mail-feedback.ts';
import { startPlatform, WEBHOOK_SECRET } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { wrongWebhookSecret } from '../../kernel/operations/access.ts';

// The mail service and the backoffice, each with a secret of its own.

const MAIL_SECRET = 'the secret of the mail service';
const platform = await startPlatform({ LOG_LEVEL: 'silent', MAIL_WEBHOOK_SECRET: MAIL_SECRET });
const { post } = mailFeedback(platform);

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}`,
});
const queryOf = (secret: string) => `?secret=${encodeURIComponent(secret)}`;
/** The ways in which mail services send a secret. */
const sendings = (secret: string): { headers: Record<string, string>; query?: string }[] => [
  { headers: { 'x-webhook-secret': secret } },
  { headers: basic(secret) },
  { headers: {}, query: queryOf(secret) },
];

/** Sends a webhook of the backoffice about a member that does not exist. */
async function activity(headers: Record<string, string>, query = '') {
  const response = await fetch(`${platform.url}/v1/streams/webhooks/activity-status${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ userId: 'f'.repeat(24), status: 'cancelled' }),
  });
  return { status: response.status, body: await response.json() };
}

test('the secret of the mail service opens nothing of the backoffice, nor that of the backoffice its webhook', async () => {
  const body = { email: 'q@example.com', kind: 'bounce', permanent: true };
  for (const sent of sendings(MAIL_SECRET)) assert.equal((await post(body, sent)).status, 200);
  for (const sent of sendings(WEBHOOK_SECRET))
    assertRefused((await post(body, sent)) as never, wrongWebhookSecret);
  assertRefused((await activity({ 'x-webhook-secret': MAIL_SECRET })) as never, wrongWebhookSecret);
  assert.notEqual((await activity({ 'x-webhook-secret': WEBHOOK_SECRET })).status, 401);
});

test('webhooks of the backoffice take the secret in its header alone', async () => {
  assertRefused((await activity(basic(WEBHOOK_SECRET))) as never, wrongWebhookSecret);
  assertRefused((await activity({}, queryOf(WEBHOOK_SECRET))) as never, wrongWebhookSecret);
});

test('who sends no secret is asked for basic authentication: Amazon SNS sends the password of its URL only then', async () => {
  const response = await fetch(`${platform.url}/v1/webhooks/mail`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    body: JSON.stringify({ email: 'q@example.com', kind: 'bounce', permanent: true }),
  });
  assert.equal(response.status, 401);
  assert.match(response.headers.get('www-authenticate') ?? '', /^Basic realm="/);
});
