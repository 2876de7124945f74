import { listMailSuppressions } from '../../sdk/src/index.ts';
import { type TestPlatform, WEBHOOK_SECRET } from './platform.ts';

// Reports of mail services about addresses: bodies from their documentation, with the tests' addresses.

interface Sending {
  query?: string;
  headers?: Record<string, string>;
}

export function mailFeedback(platform: TestPlatform) {
  /** Sends a body to the webhook, as a mail service does. */
  async function post(body: unknown, { query = '', headers }: Sending = {}) {
    const response = await fetch(`${platform.url}/v1/webhooks/mail${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers ?? { 'x-webhook-secret': WEBHOOK_SECRET }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, never> & { data?: object },
    };
  }
  return {
    post,
    dataOf: async (body: unknown) => (await post(body)).body.data,
    /** Returns the suppression of an address. */
    suppressed: async (email: string) =>
      (await platform.admin.call(listMailSuppressions, { query: { email } })).data[0],
  };
}

/** The example of the documentation. */
export const PUBLISHED = {
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: 'arn:aws:sns:us-west-2:123456789012:MyTopic',
  Timestamp: '2012-05-02T00:54:06.655Z',
};

/** A bounce of SES. */
export const bounceOf = (email: string, bounceType: string) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType,
    bounceSubType: 'General',
    bouncedRecipients: [
      { emailAddress: email, action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 unknown' },
    ],
    timestamp: '2016-01-27T14:59:38.237Z',
    feedbackId: '00000138111222aa',
  },
  mail: { timestamp: '2016-01-27T14:59:38.237Z', source: 'us@example.com', destination: [email] },
});
/** The example of the documentation. */
export const confirmationOf = (SubscribeURL: string) => ({
  Type: 'SubscriptionConfirmation',
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  Token: '2336412f37...',
  TopicArn: 'arn:aws:sns:us-west-2:123456789012:MyTopic',
  Message:
    'You have chosen to subscribe to the topic arn:aws:sns:us-west-2:123456789012:MyTopic.\nTo confirm the subscription, visit the SubscribeURL included in this message.',
  SubscribeURL,
  Timestamp: '2012-04-26T20:45:04.751Z',
});
