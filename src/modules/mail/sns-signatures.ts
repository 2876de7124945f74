import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import { invalidPayload } from './invalid-payload.ts';

const TIMEOUT_MS = 5_000;
/** Each region has one certificate, which is replaced once a year. */
const MAX_CERTIFICATES = 50;
const MAX_PEM = 16 * 1024;

/** Hosts of Amazon SNS, the only ones where certificates are read and subscriptions confirmed. */
const HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;
const PATH = /^\/SimpleNotificationService-[0-9a-zA-Z]+\.pem$/;

/** Returns the address if it is one of Amazon SNS. */
export function snsAddress(text: unknown): URL | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isOfSns = url?.protocol === 'https:' && HOST.test(url.hostname) && url.port === '';
  return isOfSns && url.username === '' && url.password === '' ? url : undefined;
}

const ALGORITHMS = new Map<unknown, string>([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);
/** The signed fields, in this order. A notification has a subject if it was published with one. */
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
const SIGNED = new Map<unknown, string[]>([
  ['Notification', NOTIFICATION],
  ['SubscriptionConfirmation', CONFIRMATION],
  ['UnsubscribeConfirmation', CONFIRMATION],
]);

/** @throws invalidPayload */
function signedText(sent: Record<string, unknown>): string {
  const names = SIGNED.get(sent.Type);
  if (!names) throw invalidPayload();
  const lines = names.flatMap((name) => {
    const value = sent[name];
    if (name === 'Subject' && (value === undefined || value === null)) return [];
    if (typeof value !== 'string') throw invalidPayload();
    return [name, value];
  });
  return `${lines.join('\n')}\n`;
}

/** @throws serviceUnavailable, so that SNS repeats its request */
async function readPem(url: URL): Promise<string> {
  const call = outboundClient({ baseUrl: url.origin, timeoutMs: TIMEOUT_MS, retries: 1 });
  try {
    const { status, body } = await call({ method: 'GET', path: url.href, answers: 'text' });
    if (status === 200 && typeof body === 'string' && body.length <= MAX_PEM) return body;
  } catch (error) {
    if (!(error instanceof ExternalFault)) throw error;
  }
  throw serviceUnavailable();
}

/** @throws serviceUnavailable for what is no certificate, and for one of another kind of key, which the algorithms cannot use */
function keyOf(pem: string): KeyObject {
  try {
    const { publicKey } = new X509Certificate(pem);
    if (publicKey.asymmetricKeyType === 'rsa') return publicKey;
  } catch {
    // As below.
  }
  throw serviceUnavailable();
}

/** Returns the check of messages of Amazon SNS, which keeps the keys of the certificates that it has read. */
export function snsSignatures() {
  const keys = new Map<string, KeyObject>();

  async function keyAt(url: URL): Promise<KeyObject> {
    const known = keys.get(url.href);
    if (known) return known;
    const key = keyOf(await readPem(url));
    const [oldest] = keys.keys();
    if (oldest !== undefined && keys.size >= MAX_CERTIFICATES) keys.delete(oldest);
    keys.set(url.href, key);
    return key;
  }

  /** @throws invalidPayload for a message that SNS has not signed, serviceUnavailable without its certificate */
  return async (sent: Record<string, unknown>): Promise<void> => {
    const text = signedText(sent);
    const algorithm = ALGORITHMS.get(sent.SignatureVersion);
    const url = snsAddress(sent.SigningCertURL);
    if (!algorithm || !url || !PATH.test(url.pathname) || url.search !== '') throw invalidPayload();
    if (typeof sent.Signature !== 'string') throw invalidPayload();
    const publicKey = await keyAt(url);
    if (!verify(algorithm, Buffer.from(text), publicKey, Buffer.from(sent.Signature, 'base64')))
      throw invalidPayload();
  };
}

export type SnsSignatures = ReturnType<typeof snsSignatures>;
