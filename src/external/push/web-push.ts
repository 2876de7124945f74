import { createECDH, createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { frequentCalls } from '../../kernel/net/frequent-calls.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import { type Clock, HOUR_MS } from '../../kernel/time/time.ts';
import { CURVE, encryptPush } from './encryption.ts';
import { fitted } from './fitting.ts';
import type { PushKeys, PushMessage, PushService } from './port.ts';

/** The application server's key pair (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * Returns the key pair of this installation, derived from a key that survives a change of SECRET_KEY, since browsers'
 * subscriptions are bound to it.
 */
export function vapidKeysOf(secrets: Pick<Secrets, 'lastingKey'>): VapidKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(secrets.lastingKey('vapid'));
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: pair.getPrivateKey('base64url'),
  };
}

/** Whether a push can be encrypted for these keys. */
export function areKeysOfABrowser(keys: PushKeys): boolean {
  try {
    encryptPush(Buffer.alloc(0), keys);
    return Buffer.from(keys.auth, 'base64url').length === 16;
  } catch {
    return false;
  }
}

/**
 * Whether a subscription's URL belongs to a known push service. Anyone may register a URL, and the platform must not be
 * made to call arbitrary addresses.
 * @param services hosts (`*.example.com` for subdomains) or, for the sandbox, an origin
 */
export function isPushEndpoint(endpoint: string, services: string[]): boolean {
  if (endpoint.length > MAX_ENDPOINT_LENGTH || !URL.canParse(endpoint)) return false;
  const { protocol, host, username, password, pathname, hash, href } = new URL(endpoint);
  // Browsers provide the canonical form; any other was made by hand and may be ambiguous.
  if (href !== endpoint || username || password || hash || pathname.startsWith('//')) return false;
  return services.some((service) => {
    if (service.includes('://')) return `${protocol}//${host}` === service;
    if (protocol !== 'https:') return false;
    return service.startsWith('*.') ? isBelow(host, service.slice(2)) : host === service;
  });
}

const isBelow = (host: string, parent: string): boolean => /^[^.]/.test(host) && host.endsWith(`.${parent}`);

/** Endpoints of real services are a few hundred characters long. */
const MAX_ENDPOINT_LENGTH = 2048;

interface WebPushOptions {
  keys: VapidKeys;
  /** The contact for push services: a `mailto:` or `https:` URL. */
  subject: string;
  /** Services that may be called, as in {@link isPushEndpoint}. */
  services: string[];
  clock: Clock;
}

/** The push services of Chrome, Firefox, Edge and Safari. */
export const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.notify.windows.com',
  'web.push.apple.com',
];

const JWT_LIFE_MS = 12 * HOUR_MS;
const RENEW_BEFORE_MS = HOUR_MS;
const KEPT_BY_SERVICE_SECONDS = 24 * 3600;
/** Push services accept 4096 bytes of ciphertext (RFC 8030, 7.2), which leaves this for the plain text. */
const MAX_BYTES = 3993;
const MAX_TOKENS = 100;

/**
 * Returns the push service of browsers, Web Push (RFC 8030): encrypted for each (RFC 8291), authenticated by VAPID (RFC
 * 8292).
 */
export function webPush({ keys, subject, services, clock }: WebPushOptions): PushService {
  const [x, y] = ((point: Buffer) => [point.subarray(1, 33), point.subarray(33)])(
    Buffer.from(keys.publicKey, 'base64url'),
  ) as [Buffer, Buffer];
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
  const key = createPrivateKey({ key: { ...jwk, d: keys.privateKey }, format: 'jwk' });
  const exchange = frequentCalls();
  const issued = new Map<string, { token: string; untilMs: number }>();

  async function tokenFor(origin: string): Promise<string> {
    const kept = issued.get(origin);
    if (kept && kept.untilMs - RENEW_BEFORE_MS > clock.now()) return kept.token;
    const untilMs = clock.now() + JWT_LIFE_MS;
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(origin)
      .setExpirationTime(Math.floor(untilMs / 1000))
      .setSubject(subject)
      .sign(key);
    if (issued.size >= MAX_TOKENS) issued.clear();
    issued.set(origin, { token, untilMs });
    return token;
  }

  return {
    async send({ token: endpoint, keys: theirs }, message) {
      // A service may have been removed from the list since the registration.
      if (!theirs || !isPushEndpoint(endpoint, services)) return 'gone';
      const { origin } = new URL(endpoint);
      const call = outboundClient({ baseUrl: origin, exchange });
      const { status } = await call({
        method: 'POST',
        path: endpoint,
        headers: {
          authorization: `vapid t=${await tokenFor(origin)}, k=${keys.publicKey}`,
          'content-encoding': 'aes128gcm',
          ttl: String(KEPT_BY_SERVICE_SECONDS),
        },
        bytes: encryptPush(shortened(message), theirs),
        answers: 'nothing',
      });
      if (status === 404 || status === 410) return 'gone';
      if (status < 200 || status > 299) throw new ExternalFault(`the push service answered ${status}`);
      return 'sent';
    },
  };
}

/** Returns the message as JSON, for the service worker. */
const jsonOf = (message: PushMessage): Buffer => Buffer.from(JSON.stringify(message));

const shortened = (message: PushMessage): Buffer =>
  jsonOf(fitted(message, (one) => jsonOf(one).length, MAX_BYTES));
