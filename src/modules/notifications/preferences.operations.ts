import { failure } from '../../kernel/failures.ts';
import { member, signedLink } from '../../kernel/operations/access.ts';
import {
  HtmlPage,
  type Operation,
  ok,
  operation,
  type RawRequest,
} from '../../kernel/operations/operation.ts';
import { PreferencesShape } from './notifications.schemas.ts';
import {
  LinkQuery,
  SetPreferencesBody,
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
  message: 'You will have no more notifications by e-mail',
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
    summary: 'One click in a mail program (RFC 8058)',
    description:
      'The link in a mail, with `List-Unsubscribe=One-Click` as a form; it needs no sign-in. Turns notifications by e-mail off, those that are waiting included.',
    access: signedLink,
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
    summary: 'The same link, opened in a browser',
    description: 'Shows a page with a button that sends the POST. Changes nothing by itself.',
    access: signedLink,
    query: LinkQuery,
    success: ok(UnsubscribeByLinkResult, { message: 'A page that asks', alsoAs: 'text/html' }),
    failures: [invalidLink],
    handle: async ({ query, raw }) => {
      if (links.read(query.token)) return new HtmlPage(200, askingPage());
      if (wantsPage(raw)) return new HtmlPage(400, invalidLinkPage());
      throw invalidLink();
    },
  }),
];

export const preferenceOperations = (preferences: PreferenceRules, links: UnsubscribeLinks): Operation[] => [
  operation({
    method: 'GET',
    path: '/push-notifications/preferences',
    id: 'getPreferences',
    tag,
    summary: 'What you want to have on which channel',
    access: member,
    success: ok(PreferencesShape),
    handle: async ({ caller }) => ({ preferences: await preferences.of(caller.userId) }),
  }),
  operation({
    method: 'PUT',
    path: '/push-notifications/preferences',
    id: 'setPreferences',
    tag,
    summary: 'Say what you want to have on which channel',
    description:
      'Changes what is given. `types` are those that are wanted there; in the app everything is shown, whatever is said here.',
    access: member,
    body: SetPreferencesBody,
    success: ok(PreferencesShape, { message: 'Preferences updated' }),
    handle: async ({ body, caller }) => ({
      preferences: await preferences.change(caller.userId, body.preferences),
    }),
  }),
  ...unsubscribeOperations(preferences, links),
];
