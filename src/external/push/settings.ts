import { baseUrl, secureHosts } from '../../kernel/address-settings.ts';
import { optional, type Setting, type ValuesOf, withSecret } from '../../kernel/settings.ts';

/** Settings of the push services of phones and browsers. */
export const pushSettings = {
  fcmServiceAccount: withSecret({
    ...optional(
      'FCM_SERVICE_ACCOUNT',
      'The Firebase service account as JSON. Without it, development sends pushes to the sandbox, and production sends none to phones',
    ),
    // Blanks around JSON mean nothing.
    read: (given) => given,
  }),
  fcmApiUrl: baseUrl('FCM_API_URL', 'https://fcm.googleapis.com', 'Base URL of Firebase Cloud Messaging'),
  webPushServices: secureHosts(
    'WEB_PUSH_SERVICES',
    'Hosts of browser push services that may be called, by https; `*.` matches subdomains. By default those of Google, Mozilla, Microsoft and Apple',
    'fcm.googleapis.com,*.push.services.mozilla.com',
  ),
} satisfies Record<string, Setting<unknown>>;

export type PushSettings = ValuesOf<typeof pushSettings>;

/** Returns the faults in the settings of push services. */
export function pushFaults({ fcmServiceAccount }: PushSettings): string[] {
  const isValid = fcmServiceAccount === undefined || isServiceAccount(fcmServiceAccount);
  return isValid ? [] : ['FCM_SERVICE_ACCOUNT must be the JSON of a service account'];
}

function isServiceAccount(text: string): boolean {
  try {
    const { project_id: project, client_email: email, private_key: key, token_uri: uri } = JSON.parse(text);
    return [project, email, key].every((one) => typeof one === 'string') && URL.canParse(uri);
  } catch {
    return false;
  }
}
