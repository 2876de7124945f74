import { Type } from 'typebox';
import { failure } from '../../kernel/failures.ts';
import { member, signedLink } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { PreferencesInBody, PreferencesShape } from './notifications.schemas.ts';
import type { PreferenceRules } from './preferences.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';

const tag = 'Push and preferences';
const invalidLink = failure(401, 'INVALID_LINK', 'The link is not good');

export const preferenceOperations = (preferences: PreferenceRules, links: UnsubscribeLinks): Operation[] => {
  const unsubscribe = (method: 'GET' | 'POST', id: string, summary: string): Operation =>
    operation({
      method,
      path: '/v1/notifications/unsubscribe',
      id,
      tag,
      summary,
      description: 'The link in a mail; it needs no sign-in. Turns notifications by e-mail off.',
      access: signedLink,
      query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
      success: ok(Type.Object({ email: Type.Boolean({ examples: [false] }) }), {
        message: 'You will have no more notifications by e-mail',
      }),
      failures: [invalidLink],
      handle: async ({ query }) => {
        const userId = links.read(query.token);
        if (!userId) throw invalidLink();
        await preferences.change(userId, { email: { enabled: false } });
        return { email: false };
      },
    });
  return [
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
      body: Type.Object({ preferences: PreferencesInBody }),
      success: ok(PreferencesShape, { message: 'Preferences updated' }),
      handle: async ({ body, caller }) => ({
        preferences: await preferences.change(caller.userId, body.preferences),
      }),
    }),
    unsubscribe('POST', 'unsubscribeByMail', 'One click in a mail program (RFC 8058)'),
    unsubscribe('GET', 'unsubscribeByLink', 'The same link, opened in a browser'),
  ];
};
