import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { ExternalFault, outboundClient } from '../../kernel/outbound.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time.ts';
import type { PushService } from './port.ts';

/** A service account as Google gives it out, as far as it is needed. */
export interface ServiceAccount {
  project_id: string;
  client_email: string;
  private_key: string;
  token_uri: string;
}

/** https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode */
interface FcmFailure {
  message?: string;
  details?: { errorCode?: string }[];
}

interface FcmOptions {
  account: ServiceAccount;
  apiUrl: string;
  clock: Clock;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const RENEW_BEFORE_MS = 5 * MINUTE_MS;

/** Firebase Cloud Messaging, HTTP v1, with the tokens of a service account (RFC 7523). */
export function fcmPush({ account, apiUrl, clock }: FcmOptions): PushService {
  const askToken = outboundClient({ baseUrl: account.token_uri });
  const call = outboundClient({ baseUrl: apiUrl });
  // Google's are RSA; the sandbox's is made in an instant.
  const key = createPrivateKey(account.private_key);
  let known: { token: string; untilMs: number } | undefined;

  async function accessToken(): Promise<string> {
    if (known && known.untilMs - RENEW_BEFORE_MS > clock.now()) return known.token;
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
    const { access_token: token, expires_in: lifeSeconds } = (body ?? {}) as {
      access_token?: string;
      expires_in?: number;
    };
    if (status !== 200 || !token) throw new ExternalFault(`the token service answered ${status}`);
    known = { token, untilMs: clock.now() + (lifeSeconds ?? 3600) * 1000 };
    return token;
  }

  return {
    async send({ token: device }, { title, body, icon, badge, data }) {
      const web = { icon, badge };
      const { status, body: answered } = await call({
        method: 'POST',
        path: `v1/projects/${account.project_id}/messages:send`,
        headers: { authorization: `Bearer ${await accessToken()}` },
        body: {
          message: { token: device, notification: { title, body }, data, webpush: { notification: web } },
        },
      });
      if (status === 200) return 'sent';
      const { error } = (answered ?? {}) as { error?: FcmFailure };
      // A 404 alone may be about the project, and is no reason to forget everybody's devices.
      if (error?.details?.some(({ errorCode }) => errorCode === 'UNREGISTERED')) return 'gone';
      if (status === 401) known = undefined;
      throw new ExternalFault(`FCM answered ${status} ${error?.message ?? ''}`);
    },
  };
}
