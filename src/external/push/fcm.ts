import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { frequentCalls } from '../../kernel/net/frequent-calls.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { fitted } from './fitting.ts';
import type { PushMessage, PushService } from './port.ts';

/** The required part of a Google service account. */
export interface ServiceAccount {
  project_id: string;
  client_email: string;
  private_key: string;
  token_uri: string;
}

/** An error of FCM: https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode */
interface FcmFailure {
  message?: unknown;
  details?: ({ errorCode?: string } | null)[];
}

interface FcmOptions {
  account: ServiceAccount;
  apiUrl: string;
  clock: Clock;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const RENEW_BEFORE_MS = 5 * MINUTE_MS;
const MAX_REASON_LENGTH = 300;
/** What a token may consist of (RFC 6749, A.12). */
const TOKEN = /^[\x20-\x7e]+$/;

/** FCM's limit for a message; applied here to the whole body, although FCM excludes part of it. */
const MAX_BYTES = 4096;
/** Minimum size for the message, however long the token is. */
const MIN_BYTES_OF_MESSAGE = 2048;

/** Names that FCM rejects in `data`, and `aps`, which would replace the content that Apple's devices show. */
const RESERVED = /^(from|message_type|collapse_key|aps|google.*|gcm.*)$/i;

/** Renames reserved names to `data_<name>`, unless a value already has that name. */
const withoutReserved = (data: PushMessage['data']): PushMessage['data'] => ({
  ...Object.fromEntries(
    Object.entries(data).map(([name, value]) => [RESERVED.test(name) ? `data_${name}` : name, value]),
  ),
  ...Object.fromEntries(Object.entries(data).filter(([name]) => !RESERVED.test(name))),
});

/** FCM's counts have 32 bits. */
const MAX_COUNT = 2 ** 31 - 1;
/** Returns the number of a badge, which may be written as text; undefined if it is an image. */
function countOf(badge: PushMessage['badge']): number | undefined {
  const count = typeof badge === 'string' && /^\d{1,10}$/.test(badge) ? Number(badge) : badge;
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MAX_COUNT
    ? (count as number)
    : undefined;
}

/**
 * Returns a message in FCM's format. Android names its small icon by a resource of the app, and iOS has none: phones
 * show an icon that is a URL as the image of the notification.
 */
function messageOf(token: string, { title, body, icon, badge, data }: PushMessage) {
  const count = countOf(badge);
  const image = icon?.startsWith('https://') ? icon : undefined;
  const android = { icon: image === undefined ? icon : undefined, image, notification_count: count };
  const aps = { badge: count, 'mutable-content': image === undefined ? undefined : 1 };
  const hasMore = icon !== undefined || badge !== undefined;
  return {
    message: {
      token,
      notification: { title, body },
      data,
      ...(hasMore && {
        android: { notification: android },
        apns: { payload: { aps }, fcm_options: image === undefined ? undefined : { image } },
        webpush: { notification: { icon, badge } },
      }),
    },
  };
}

function bodyOf(token: string, push: PushMessage) {
  const sizeOf = (one: PushMessage): number => Buffer.byteLength(JSON.stringify(messageOf(token, one)));
  const sizeOfToken = Buffer.byteLength(JSON.stringify(token));
  const maxBytes = Math.max(MAX_BYTES, sizeOfToken + MIN_BYTES_OF_MESSAGE);
  return messageOf(token, fitted({ ...push, data: withoutReserved(push.data) }, sizeOf, maxBytes));
}

/** Returns the push service of Firebase Cloud Messaging, HTTP v1, with tokens of a service account (RFC 7523). */
export function fcmPush({ account, apiUrl, clock }: FcmOptions): PushService {
  const askToken = outboundClient({ baseUrl: account.token_uri });
  const call = outboundClient({ baseUrl: apiUrl, exchange: frequentCalls() });
  // Google's keys are RSA; the sandbox uses Ed25519, which is fast to generate.
  const key = createPrivateKey(account.private_key);
  let issued: { token: string; untilMs: number } | undefined;

  async function accessToken(): Promise<string> {
    if (issued && issued.untilMs - RENEW_BEFORE_MS > clock.now()) return issued.token;
    const seconds = Math.floor(clock.now() / 1000);
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'EdDSA', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 3600)
      .sign(key);
    const { status, body } = await askToken({
      method: 'POST',
      path: account.token_uri,
      form: { grant_type: JWT_GRANT, assertion },
      idempotent: true,
    });
    const { access_token: token, expires_in: lifeSeconds } = (body ?? {}) as Record<string, unknown>;
    // One that no header can carry would be kept, and never be refused.
    if (status !== 200 || typeof token !== 'string' || !TOKEN.test(token))
      throw new ExternalFault(`the token service answered ${status}`);
    const lifeMs = Math.min(Number(lifeSeconds ?? 3600) * SECOND_MS, HOUR_MS);
    issued = { token, untilMs: clock.now() + lifeMs };
    return token;
  }

  return {
    async send({ token: device }, push) {
      const { status, body: answered } = await call({
        method: 'POST',
        path: `v1/projects/${account.project_id}/messages:send`,
        headers: { authorization: `Bearer ${await accessToken()}` },
        body: bodyOf(device, push),
      });
      if (status === 200) return 'sent';
      const { error } = (answered ?? {}) as { error?: FcmFailure };
      // A 404 alone may concern the project and must not unregister every device.
      const details = Array.isArray(error?.details) ? error.details : [];
      if (details.some((detail) => detail?.errorCode === 'UNREGISTERED')) return 'gone';
      if (status === 401) issued = undefined;
      const reason = typeof error?.message === 'string' ? error.message : '';
      throw new ExternalFault(`FCM answered ${status} ${storableText(reason, MAX_REASON_LENGTH)}`);
    },
  };
}
