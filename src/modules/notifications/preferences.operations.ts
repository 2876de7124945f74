import { failure } from '../../kernel/failures.ts';
import { member, signedLink } from '../../kernel/operations/access.ts';
import {
  HtmlPage,
  type Operation,
  ok,
  operation,
  type RawRequest,
} from '../../kernel/operations/operation.ts';
import type { NotificationShapes } from './notifications.schemas.ts';
import type { Preferences } from './preferences.model.ts';
import {
  LinkQuery,
  UnsubscribeByLinkResult,
  UnsubscribeByMailBody,
  Unsubscribed,
} from './preferences.schemas.ts';
import type { PreferenceRules } from './preferences.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';
import { askingPage, donePage, invalidLinkPage } from './unsubscribe-page.ts';

const tag = 'Push and preferences';
/** Mail programs send a few bytes; the limit is low because the link requires no credentials. */
const MAX_FORM_BYTES = 16 * 1024;
const invalidLink = failure(400, 'INVALID_LINK', 'The link is not valid');
const success = ok(Unsubscribed, {
  message: 'You will no longer receive notifications by e-mail',
  alsoAs: 'text/html',
});

/** Returns whether to respond with a page: for browsers, but not for mail programs and API clients. */
const wantsPage = (raw: RawRequest): boolean => raw.header('accept').includes('text/html');

/** The link in mails (RFC 8058): requires no sign-in, and works for inactive accounts too. */
const unsubscribeOperations = (preferences: PreferenceRules, links: UnsubscribeLinks): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/notifications/unsubscribe',
    id: 'unsubscribeByMail',
    tag,
    summary: 'Unsubscribe from e-mail notifications with one click (RFC 8058)',
    description:
      'Mail programs call the link in a mail with the form field `List-Unsubscribe=One-Click`; no sign-in is required. Turns off e-mail notifications, including those that are waiting to be sent.',
    access: signedLink,
    isLink: true,
    form: true,
    maxBodyBytes: MAX_FORM_BYTES,
    query: LinkQuery,
    body: UnsubscribeByMailBody,
    success,
    failures: [invalidLink],
    handle: async ({ query, raw }) => {
      const userId = links.read(query.token);
      if (!userId && wantsPage(raw)) return new HtmlPage(400, invalidLinkPage());
      if (!userId) throw invalidLink();
      await preferences.change(userId, { email: { enabled: false } });
      return wantsPage(raw) ? new HtmlPage(200, donePage()) : { email: false };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/notifications/unsubscribe',
    id: 'unsubscribeByLink',
    tag,
    summary: 'Show the unsubscribe page',
    description:
      'The link in a mail, opened in a browser. Returns a page with a button that sends the POST request. Opening the page changes nothing.',
    access: signedLink,
    isLink: true,
    query: LinkQuery,
    success: ok(UnsubscribeByLinkResult, {
      message: 'A page that asks for confirmation',
      alsoAs: 'text/html',
    }),
    failures: [invalidLink],
    handle: async ({ query, raw }) => {
      if (links.read(query.token)) return new HtmlPage(200, askingPage());
      if (wantsPage(raw)) return new HtmlPage(400, invalidLinkPage());
      throw invalidLink();
    },
  }),
];

const shownOf = ({ quietHours = null, ...channels }: Preferences) => ({ ...channels, quietHours });

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
    handle: async ({ caller }) => ({ preferences: shownOf(await preferences.of(caller.userId)) }),
  }),
  operation({
    method: 'PUT',
    path: '/push-notifications/preferences',
    id: 'setPreferences',
    tag,
    summary: 'Update your notification preferences',
    description:
      'Fields that are left out keep their values. `types` lists the types that are delivered on a channel. The app shows all notifications regardless of these preferences. What falls into `quietHours` by e-mail or push is sent when they end, critical ones too; `null` clears them.',
    access: member,
    body: SetPreferencesBody,
    success: ok(PreferencesShape, { message: 'Preferences updated' }),
    handle: async ({ body, caller }) => ({
      preferences: shownOf(await preferences.change(caller.userId, body.preferences)),
    }),
  }),
  ...unsubscribeOperations(preferences, links),
];
