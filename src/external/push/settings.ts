import { list, optional, type Setting, text, type ValuesOf, withSecret } from '../../kernel/settings.ts';

/** Settings of the push services of phones and browsers. */
export const pushSettings = {
  fcmServiceAccount: withSecret(
    optional(
      'FCM_SERVICE_ACCOUNT',
      "Firebase's service account, the JSON itself; in development the sandbox takes pushes, in production without it none are sent",
    ),
  ),
  fcmApiUrl: text('FCM_API_URL', 'https://fcm.googleapis.com', 'Where Firebase Cloud Messaging is'),
  webPushServices: list(
    'WEB_PUSH_SERVICES',
    "Hosts of browsers' push services that may be called, `*.` for those below one; Google's, Mozilla's, Microsoft's and Apple's unless said",
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
