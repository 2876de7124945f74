import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounceOf, confirmationOf, mailFeedback, PUBLISHED } from '../../../test/support/mail-feedback.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { amazonSns, otherCertificate } from '../../../test/support/sns.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { invalidPayload } from './invalid-payload.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { post, dataOf, suppressed } = mailFeedback(platform);
const sns = amazonSns();
const ses = (message: object) => sns.signed({ ...PUBLISHED, Message: JSON.stringify(message) });
const CONFIRM_AT =
  'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:us-west-2:123456789012:MyTopic&Token=2336412f37';

test('a subscription that Amazon has signed is confirmed, whatever hash its topic signs with', async () => {
  for (const version of ['1', '2'] as const) {
    sns.requestedUrls.length = 0;
    const { status } = await post(sns.signed(confirmationOf(CONFIRM_AT), version));
    assert.equal(status, 200);
    assert.deepEqual(
      sns.requestedUrls.filter((url) => !url.endsWith('.pem')),
      [CONFIRM_AT],
    );
  }
  const unsubscribed = { ...confirmationOf(CONFIRM_AT), Type: 'UnsubscribeConfirmation' };
  assert.deepEqual(await dataOf(sns.signed(unsubscribed)), { received: 0, suppressed: 0 });
});

test('a message that Amazon has not signed is refused, and suppresses and confirms nothing', async () => {
  const email = 'forged@example.com';
  const good = ses(bounceOf(email, 'Permanent'));
  const other = JSON.stringify(bounceOf('other@example.com', 'Permanent'));
  const [name] = new URL(good.SigningCertURL).pathname.split('/').slice(-1);
  sns.requestedUrls.length = 0;
  for (const forged of [
    { ...good, Signature: Buffer.from('nonsense').toString('base64') },
    { ...good, Signature: '' },
    { ...good, Signature: undefined },
    { ...good, Message: other },
    { ...good, TopicArn: 'arn:aws:sns:us-west-2:1:Other' },
    { ...good, Subject: 'added' },
    { ...good, SignatureVersion: '2' },
    { ...good, SignatureVersion: '3' },
    { ...good, Type: 'SubscriptionConfirmation', SubscribeURL: CONFIRM_AT, Token: 'x' },
    { ...good, Type: 'Else' },
    { ...good, SigningCertURL: undefined },
    ...[
      `http://sns.us-west-2.amazonaws.com/${name}`,
      `https://sns.us-west-2.amazonaws.com.example.com/${name}`,
      `https://sns.us-west-2.amazonaws.com:8443/${name}`,
      `https://user@sns.us-west-2.amazonaws.com/${name}`,
      `https://s3.us-west-2.amazonaws.com/${name}`,
      `https://bucket.sns.us-west-2.amazonaws.com/${name}`,
      `https://sns.us-west-2.amazonaws.com/x/${name}`,
      `https://sns.us-west-2.amazonaws.com/${name}?x=1`,
      'https://sns.us-west-2.amazonaws.com/',
    ].map((SigningCertURL) => ({ ...good, SigningCertURL })),
  ])
    assertRefused((await post(forged)) as never, invalidPayload, JSON.stringify(forged));
  assert.deepEqual(
    sns.requestedUrls.filter((url) => !url.endsWith('.pem')),
    [],
  );
  assert.equal(await suppressed(email), undefined);
  const signedElsewhere = { ...good, SigningCertURL: good.SigningCertURL.replace('us-west-2', 'eu-west-3') };
  assert.deepEqual(await dataOf(signedElsewhere), { received: 1, suppressed: 1 });
});

test('a certificate is read once; as long as it cannot be, the message is to come again', async () => {
  const message = (email: string) =>
    sns.signed({ ...PUBLISHED, Message: JSON.stringify(bounceOf(email, 'Permanent')) }, '2', 'eu-north-1');
  const redirect = () => new Response(null, { status: 302, headers: { location: 'https://example.com/' } });
  for (const answer of [
    () => new Response('<Error/>', { status: 403 }),
    () => new Response('no certificate'),
    () => new Response(otherCertificate()),
    () => new Response('x'.repeat(20_000)),
    redirect,
    () => {
      throw new TypeError('fetch failed');
    },
  ]) {
    sns.now.answer = answer;
    assertRefused((await post(message('later@example.com'))) as never, serviceUnavailable);
  }
  sns.now.answer = () => new Response(sns.pem);
  sns.requestedUrls.length = 0;
  for (const number of [1, 2, 3])
    assert.equal((await post(message(`later${number}@example.com`))).status, 200);
  assert.equal(sns.requestedUrls.length, 1);
});
