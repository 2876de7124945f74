import type { Secrets } from '../../kernel/secrets.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { fcmPush, type ServiceAccount } from './fcm.ts';
import type { PushKeys, PushService } from './port.ts';
import type { PushSettings } from './settings.ts';
import { areKeysOfABrowser, isPushEndpoint, PUSH_SERVICES, vapidKeysOf, webPush } from './web-push.ts';

interface PushParts {
  clock: Clock;
  /** What the VAPID keys are derived from. */
  secrets: Secrets;
  /** The contact for push services: a `mailto:` or `https:` URL. */
  subject: string;
}

/**
 * Returns the push services of phones (if Firebase is configured) and of browsers, and the means to register a browser.
 */
export function pushServices(settings: PushSettings, { clock, secrets, subject }: PushParts) {
  const { fcmServiceAccount, fcmApiUrl: apiUrl, webPushServices: services = PUSH_SERVICES } = settings;
  const account = fcmServiceAccount && (JSON.parse(fcmServiceAccount) as ServiceAccount);
  const phones: PushService | undefined = account ? fcmPush({ account, apiUrl, clock }) : undefined;
  const keys = vapidKeysOf(secrets);
  return {
    pushServices: { phones, browsers: webPush({ keys, subject, services, clock }) },
    browserPush: {
      publicKey: keys.publicKey,
      isEndpoint: (endpoint: string): boolean => isPushEndpoint(endpoint, services),
      areKeys: (browserKeys: PushKeys): boolean => areKeysOfABrowser(browserKeys),
    },
  };
}
