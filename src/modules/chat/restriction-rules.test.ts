import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADA, AT, BANNED, CHANNEL, FACTS, MEMBER, OPEN, ruling } from '../../../test/support/room-rules.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { memberMutedInRoom } from './chat.live.ts';

// Whom removing, muting and banning reach, and whom they leave alone, without a platform around the rules.

test('members are removed, muted and banned, which ends what they see, but never the creator', async () => {
  const until = new Date(AT.getTime() + 300_000);
  const told = (mutedUntil: Date | null) =>
    memberMutedInRoom({ chatroomId: 'r1', userId: 'ben', mutedUntil });
  const by = { caller: ADA, facts: FACTS };
  const { rules, done } = ruling({ membership: { ...MEMBER, mutedUntil: until } });
  await rules.remove(OPEN, 'ben', by);
  assert.equal((await rules.mute(OPEN, 'ben', 5, by))?.getTime(), AT.getTime() + 300_000);
  assert.equal(await rules.mute(OPEN, 'ben', undefined, by), null);
  await rules.ban(OPEN, 'ben', by);
  const left = ['leave', 'r1', 'ben'];
  assert.deepEqual(done, [
    left,
    ['revoke', CHANNEL, { userId: 'ben', reason: 'REMOVED' }],
    ['tell removed', 'ben', ['r1'], 'REMOVED'],
    ['mute', 'r1', 'ben', until],
    ['send', liveChannel.user('ben'), [told(until)]],
    ['mute', 'r1', 'ben', null],
    ['send', liveChannel.user('ben'), [told(null)]],
    left,
    ['ban', 'r1', 'ben'],
    ['revoke', CHANNEL, { userId: 'ben', reason: 'BANNED' }],
    ['tell removed', 'ben', ['r1'], 'BANNED'],
  ]);
  const back = ruling({ membership: BANNED });
  await back.rules.ban(OPEN, 'ben', by);
  await back.rules.unban(OPEN, 'ben', by);
  assert.deepEqual(back.done, [
    ['revoke', CHANNEL, { userId: 'ben', reason: 'BANNED' }],
    ['ban', 'r1', 'ben', null],
  ]);
  const nobody = ruling({ hasLeft: false });
  assert.equal(await nobody.codeOf(nobody.rules.remove(OPEN, 'ben', by)), 'NOT_FOUND');
  assert.equal(nobody.done.length, 1, 'nobody is sent away');
  const acts = (userId: string) => ({
    remove: ({ rules }: ReturnType<typeof ruling>) => rules.remove(OPEN, userId, by),
    mute: ({ rules }: ReturnType<typeof ruling>) => rules.mute(OPEN, userId, 5, by),
    ban: ({ rules }: ReturnType<typeof ruling>) => rules.ban(OPEN, userId, by),
  });
  for (const act of Object.values(acts('ada'))) {
    const one = ruling();
    assert.equal(await one.codeOf(act(one)), 'CREATOR_CANNOT_LEAVE');
    assert.deepEqual(one.done, []);
  }
  const { mute, ban } = acts('ben');
  for (const act of [mute, ban]) {
    const one = ruling({ isUnknown: true });
    assert.equal(await one.codeOf(act(one)), 'NOT_FOUND');
    assert.deepEqual(one.done, []);
  }
});
