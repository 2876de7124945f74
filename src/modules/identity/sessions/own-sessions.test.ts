import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  endSession,
  getProfile,
  listSessions,
  refreshToken,
  signIn,
  signInSso,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import { sessionNotFound } from './sessions.ts';

const platform = await startPlatform();
const { client } = platform;

test('a member sees how, where and on which device each session was opened, and when it was last used', async () => {
  const ada = await platform.newMember();
  const hop = {
    userId: ada.id,
    accessToken: ada.accessToken,
    refreshToken: ada.refreshToken,
    platform: 'web' as const,
    device: 'television',
  };
  await client.with({ 'user-agent': 'A television' }).call(signInSso, { body: hop });
  const sessions = (await ada.client.call(listSessions)).data;
  assert.deepEqual(
    sessions.map(({ device, method, isCurrent, elevatedUntil }) => [
      device,
      method,
      isCurrent,
      elevatedUntil,
    ]),
    [
      ['television', 'sso', false, null],
      ['unnamed', 'password', true, null],
    ],
  );
  assert.deepEqual([sessions[0]?.userAgent, sessions[0]?.address], ['A television', '127.0.0.1']);
  platform.clock.advance(10 * MINUTE_MS);
  const { data } = await client.call(refreshToken, { body: { refreshToken: ada.refreshToken } });
  const [, own] = (await client.as(data.accessToken).call(listSessions)).data;
  const seenMs = Date.parse(own?.lastSeenAt ?? '') - Date.parse(own?.createdAt ?? '');
  assert.ok(seenMs >= 10 * MINUTE_MS, 'a refresh counts');
});

test('a member can end one of their own sessions immediately, but not a session of another member', async () => {
  const ada = await platform.newMember();
  const body = { email: ada.email, password: PASSWORD, platform: 'web' as const, device: 'tablet' };
  const tablet = (await client.call(signIn, { body })).data;
  const [newest] = (await ada.client.call(listSessions)).data;
  const params = { sessionId: newest?.id ?? '' };
  const ben = await platform.newMember();
  assertRefused(await ben.client.attempt(endSession, { params }), sessionNotFound, "somebody else's");
  assert.deepEqual((await ada.client.call(endSession, { params })).data, { sessionsEnded: 1 });
  assertRefused(await client.as(tablet.accessToken).attempt(getProfile), invalidToken);
  assertRefused(await ada.client.attempt(endSession, { params }), sessionNotFound, 'it has ended');
  assert.equal((await ada.client.attempt(getProfile)).status, 200, 'the others go on');
});
