import { generateKeyPairSync, sign } from 'node:crypto';
import { mock } from 'node:test';

/** Encodes a value in DER: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const SEQUENCE = 0x30;
const time = (text: string) => der(0x17, Buffer.from(text));
const SHA256_WITH_RSA = der(SEQUENCE, Buffer.from('06092a864886f70d01010b0500', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const nameOf = (text: string) =>
  der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(text)))));

/** Creates a key and a self-signed certificate. */
function selfSigned({ privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })) {
  const name = nameOf('sns.amazonaws.com');
  const facts = der(
    SEQUENCE,
    der(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    name,
    der(SEQUENCE, time('250101000000Z'), time('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(
    0x03,
    Buffer.from([0]),
    sign(privateKey.asymmetricKeyType === 'rsa' ? 'sha256' : null, facts, privateKey),
  );
  const lines =
    der(SEQUENCE, facts, SHA256_WITH_RSA, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return { privateKey, pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` };
}

/** A certificate whose key does not sign by RSA. */
export const otherCertificate = (): string => selfSigned(generateKeyPairSync('ed25519')).pem;

const PATH = '/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem';

/** A stand-in for Amazon SNS: signs messages, and intercepts requests to its hosts. */
export function amazonSns() {
  const { privateKey, pem } = selfSigned();
  const requestedUrls: string[] = [];
  const now = { answer: (_url: URL) => new Response(pem), confirmation: () => new Response('confirmed') };
  const original = globalThis.fetch;
  mock.method(globalThis, 'fetch', async (input: string | URL, init?: RequestInit) => {
    const url = new URL(String(input));
    if (!url.hostname.endsWith('.amazonaws.com')) return original(input, init);
    requestedUrls.push(url.href);
    return url.pathname === PATH ? now.answer(url) : now.confirmation();
  });
  return {
    /** The URLs that were requested. */
    requestedUrls,
    /** Its `answer` is the response to requests for the certificate, its `confirmation` that to all others. */
    now,
    pem,
    /** Adds the signature to a message. */
    signed(message: Record<string, string>, version: '1' | '2' = '1', region = 'us-west-2') {
      const text = Object.keys(message)
        .sort()
        .map((name) => `${name}\n${message[name]}\n`)
        .join('');
      const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
      return {
        ...message,
        SignatureVersion: version,
        Signature: sign(algorithm, Buffer.from(text), privateKey).toString('base64'),
        SigningCertURL: `https://sns.${region}.amazonaws.com${PATH}`,
        UnsubscribeURL: `https://sns.${region}.amazonaws.com/?Action=Unsubscribe`,
      };
    },
  };
}
