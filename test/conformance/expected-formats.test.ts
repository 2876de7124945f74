// A text of the wrong form is refused with what is expected, so that people can correct what they entered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveClient } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid } from '../support/refused.ts';

const platform = await startPlatform();
const ada = await platform.newMember();

for (const [what, method, path, body, field, expected] of [
  ['username', 'PATCH', '/v1/user/profile', { username: 'Ada L' }, 'username', /lower-case letters, digits/],
  [
    'time of day',
    'PUT',
    '/push-notifications/preferences',
    { preferences: { quietHours: { from: '9:00', to: '07:00', timeZone: 'Europe/Berlin' } } },
    'preferences.quietHours.from',
    /from 00:00 to 23:59, such as 09:00/,
  ],
  ['symbol', 'POST', '/v1/trades', { symbol: 'EUR USD' }, 'symbol', /such as EURUSD/],
  ['id of an event', 'POST', '/v1/analytics/track', { eventName: 'a', eventId: 'x' }, 'eventId', /UUID/],
  ['text that may be null', 'PATCH', '/v1/user/profile', { bio: 5 }, 'bio', /^must be string or null$/],
  // Without words of its own, it has an example.
  [
    'code',
    'POST',
    '/v1/auth/verify-email',
    { email: 'ada@example.com', code: 'x' },
    'code',
    /a valid one is [0-9]{6}$/,
  ],
] as const)
  test(`a wrong ${what} is refused with what is expected`, async () => {
    const refused = await ada.client.raw(method, path, body);
    assertInvalid(refused);
    assert.match(refused.body.errors?.find((one) => one.field === field)?.message ?? '', expected);
  });

test('a wrong id on the live channel is refused with what is expected', async () => {
  const live = await LiveClient.open(platform.url, ada.accessToken);
  const { data } = await live.enter('gold');
  assert.deepEqual(data.errors, [
    { field: 'chatroomId', message: 'must be an id: 24 lower-case hexadecimal characters' },
  ]);
  live.close();
});
