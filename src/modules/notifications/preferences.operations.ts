import { failure } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { mailLink } from '../../kernel/operations/mail-links.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import type { NotificationShapes } from './notifications.schemas.ts';
import { UnsubscribeByMailBody, Unsubscribed } from './preferences.schemas.ts';
import type { PreferenceRules } from './preferences.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';
import { askingPage, donePage, invalidLinkPage } from './unsubscribe-page.ts';

const tag = 'Push and preferences';
const invalidLink = failure(400, 'INVALID_LINK', 'The link is not valid');

/** The link in mails (RFC 8058): requires no sign-in, and works for inactive accounts too. */
const unsubscribeOperations = (preferences: PreferenceRules, links: UnsubscribeLinks): Operation[] =>
  mailLink({
    path: '/v1/notifications/unsubscribe',
    tag,
    act: {
      id: 'unsubscribeByMail',
      summary: 'Unsubscribe from e-mail notifications with one click (RFC 8058)',
      description:
        'Mail programs call the link in a mail with the form field `List-Unsubscribe=One-Click`; no sign-in is required. Turns off e-mail notifications, including those that are waiting to be sent.',
    },
    show: {
      id: 'unsubscribeByLink',
      summary: 'Show the unsubscribe page',
      description:
        'The link in a mail, opened in a browser. Returns a page with a button that sends the POST request. Opening the page changes nothing.',
    },
    body: UnsubscribeByMailBody,
    success: ok(Unsubscribed, { message: 'You will no longer receive notifications by e-mail' }),
    invalid: invalidLink,
    pages: { asking: askingPage, done: donePage, invalid: invalidLinkPage },
    isValid: (token) => links.read(token) !== undefined,
    run: async (token) => {
      const userId = links.read(token);
      if (!userId) return undefined;
      await preferences.change(userId, { email: { enabled: false } });
      return { email: false };
    },
  });

interface PreferenceDeps {
  preferences: PreferenceRules;
  links: UnsubscribeLinks;
  shapes: NotificationShapes;
}

export const preferenceOperations = ({
  preferences,
  links,
  shapes: { PreferencesShape, SetPreferencesBody },
}: PreferenceDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/push-notifications/preferences',
    id: 'getPreferences',
    tag,
    summary: 'Retrieve your notification preferences',
    access: member,
    success: ok(PreferencesShape),
    handle: async ({ caller }) => ({ preferences: preferences.shown(await preferences.of(caller.userId)) }),
  }),
  operation({
    method: 'PUT',
    path: '/push-notifications/preferences',
    id: 'setPreferences',
    tag,
    summary: 'Update your notification preferences',
    description:
      'Fields that are left out keep their values. `types` lists the types that are delivered on a channel, besides those that later releases add. The app shows all notifications regardless of these preferences. What falls into `quietHours` by e-mail or push is sent when they end, critical ones too; `null` clears them.',
    access: member,
    body: SetPreferencesBody,
    success: ok(PreferencesShape, { message: 'Preferences updated' }),
    handle: async ({ body, caller }) => ({
      preferences: preferences.shown(await preferences.change(caller.userId, body.preferences)),
    }),
  }),
  ...unsubscribeOperations(preferences, links),
];
