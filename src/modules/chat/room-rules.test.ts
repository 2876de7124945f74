import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ADA,
  AT,
  BANNED,
  BEN,
  CHANGED,
  CHANNEL,
  callerOf,
  FACTS,
  MEMBER,
  OPEN,
  ruling,
  SECRET,
  type State,
} from '../../../test/support/room-rules.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { addedToRoom } from './chat.live.ts';
import { LEFT_ALONE_DAYS, MAX_OWN_ROOMS } from './rooms.model.ts';

// What is written, announced and told when rooms and memberships change, without a platform around the rules.

test('a room is created with its creator in it, and announced', async () => {
  const { rules, done } = ruling();
  const ada = callerOf('ada');
  const taken = ['take room', ada];
  const made = await rules.create({ name: 'Gold', description: '', type: 'private' }, ada);
  assert.deepEqual(done, [
    taken,
    ['insert', { name: 'Gold', description: '', type: 'private', id: 'r1', createdBy: 'ada' }],
    ['join', [{ roomId: 'r1', userId: 'ada' }]],
    CHANGED,
  ]);
  assert.equal(made.activeNow, 0);
  const last = ruling({ ownRooms: MAX_OWN_ROOMS - 1 });
  await last.rules.create({ name: 'Gold', description: '', type: 'private' }, ada);
  const full = ruling({ ownRooms: MAX_OWN_ROOMS });
  const refused = full.rules.create({ name: 'Gold', description: '', type: 'private' }, ada);
  assert.deepEqual([await full.codeOf(refused), full.done], ['TOO_MANY_CHATROOMS', [taken]]);
  const silent = ruling({ isMuted: true });
  const kept = silent.rules.create({ name: 'Gold', description: '', type: 'private' }, ada);
  assert.deepEqual([await silent.codeOf(kept), silent.done], ['MUTED', [taken]]);
});

test('a changed room is announced, and its readers are looked at again once it is no longer public', async () => {
  const { rules, done } = ruling();
  await rules.update('r1', { name: 'Oil' }, ADA, FACTS);
  assert.deepEqual(done, [['update', 'r1', { name: 'Oil' }], CHANGED, ['announce']]);
  const closed = ruling({ locked: SECRET });
  await closed.rules.update('r1', { type: 'private' }, ADA, FACTS);
  assert.deepEqual(closed.done.at(-1), ['review', CHANNEL]);
  const named = ruling({ locked: SECRET });
  await named.rules.update('r1', { name: 'Oil' }, ADA, FACTS);
  const opened = ruling();
  await opened.rules.update('r1', { type: 'public' }, ADA, FACTS);
  assert.deepEqual(named.done.at(-1), ['announce']);
  assert.deepEqual(opened.done, [], 'it was public, so that nothing has changed');
  const gone = ruling({ locked: undefined });
  assert.equal(await gone.codeOf(gone.rules.update('r1', { type: 'private' }, ADA, FACTS)), 'NOT_FOUND');
  const silent = ruling({ isMuted: true });
  assert.equal(await silent.codeOf(silent.rules.update('r1', { rules: [] }, ADA, FACTS)), 'MUTED');
  await silent.rules.update('r1', { slowModeSeconds: 5 }, ADA, FACTS);
});

test('a deleted room is announced, and its readers are sent away', async () => {
  const { rules, done } = ruling();
  await rules.delete(OPEN, ADA, FACTS);
  assert.deepEqual(done, [
    ['delete', 'r1'],
    CHANGED,
    ['announce'],
    ['revoke', CHANNEL, { reason: 'ROOM_DELETED' }],
  ]);
  const gone = ruling({ locked: undefined });
  assert.equal(await gone.codeOf(gone.rules.delete(OPEN, ADA, FACTS)), 'NOT_FOUND');
  assert.deepEqual(gone.done, []);
  const handedOn = ruling({ locked: { ...OPEN, createdBy: 'ben' } });
  const refused = handedOn.rules.delete(OPEN, ADA, FACTS);
  assert.deepEqual([await handedOn.codeOf(refused), handedOn.done], ['FORBIDDEN', []]);
});

test('members see public rooms and their own, moderators all, with those who are there now', async () => {
  const { rules, done } = ruling();
  const request = { page: 1, limit: 9 };
  const page = await rules.pageOf({ type: 'public' }, request, BEN);
  await rules.pageOf({}, request, callerOf('eve', 'moderator'));
  assert.deepEqual(done, [
    ['page', { type: 'public', visibleTo: 'ben' }],
    ['page', {}],
  ]);
  assert.equal(page.items[0]?.activeNow, 2);
  const empty = ruling({ active: [] }).rules;
  assert.equal((await empty.pageOf({}, request, BEN)).items[0]?.activeNow, 0);
  assert.equal((await empty.view(OPEN, BEN)).activeNow, 0);
});

test('who joins is checked again under the lock of the room', async () => {
  const join = async (state: State, caller = BEN) => {
    const { rules, done, codeOf } = ruling(state);
    const code = await codeOf(rules.join('r1', caller));
    return [code, done.map(([what]) => what)];
  };
  assert.deepEqual(await join({ membership: MEMBER }), [undefined, []]);
  assert.deepEqual(await join({}), [undefined, ['approach', 'join']]);
  assert.deepEqual(await join({ locked: undefined }), ['NOT_FOUND', []]);
  assert.deepEqual(await join({ lockedMembership: BANNED }), ['BANNED', []]);
  const moderator = callerOf('ben', 'moderator');
  assert.deepEqual(await join({ membership: BANNED }, moderator), ['BANNED', []], 'also a moderator');
  const added = { locked: SECRET, lockedMembership: MEMBER, room: OPEN };
  assert.deepEqual(await join(added), [undefined, []]);
  assert.deepEqual(await join({ locked: SECRET }), ['NOT_A_MEMBER', []]);
  assert.deepEqual(await join({ isBlocked: true }), ['BLOCKED', ['approach']]);
});

test('who leaves a room that is not public is sent away, and its creator stays', async () => {
  const leave = async (state: State, caller = BEN) => {
    const { rules, done, codeOf } = ruling(state);
    return [await codeOf(rules.leave('r1', caller)), done];
  };
  const left = ['leave', 'r1', 'ben'];
  const told = ['tell removed', 'ben', ['r1'], 'LEFT'];
  assert.deepEqual(await leave({ membership: MEMBER }), [undefined, [left, told]]);
  const away = ['revoke', CHANNEL, { userId: 'ben', reason: 'LEFT' }];
  assert.deepEqual(await leave({ room: SECRET, membership: MEMBER }), [undefined, [left, away, told]]);
  const again = { room: SECRET, membership: MEMBER, hasLeft: false };
  assert.deepEqual(await leave(again), [undefined, [left]], 'meanwhile in another window');
  assert.deepEqual(await leave({}, callerOf('ada')), ['CREATOR_CANNOT_LEAVE', []]);
  assert.deepEqual(await leave({ room: SECRET }), ['NOT_A_MEMBER', []]);
});

test('a member is added unless they are unknown, banned, have left or have blocked who adds them', async () => {
  const add = async (state: State, by = callerOf('ada')) => {
    const { rules, done, codeOf } = ruling(state);
    return [
      await codeOf(rules.add(SECRET, 'ben', by, FACTS)),
      done.filter(([what]) => what !== 'take adding'),
    ];
  };
  const approach = ['approach', 'ben', 'ada'];
  const join = ['join', [{ roomId: 'r1', userId: 'ben' }]];
  const joined = [
    undefined,
    [
      approach,
      join,
      ['note', 'r1', 'ben'],
      ['publish', 'chat.member-added', { roomId: 'r1', userId: 'ben', addedBy: 'ada' }],
      ['send', liveChannel.user('ben'), [addedToRoom({ chatroomId: 'r1', name: 'Gold', addedBy: 'ada' })]],
    ],
  ];
  assert.deepEqual(await add({}), joined);
  assert.deepEqual(await add({ isInAlready: true }), [undefined, [approach, join]], 'nobody is told twice');
  const parted = (daysAgo: number) => ({
    lockedMembership: {
      ...MEMBER,
      isMember: false,
      leftAt: new Date(AT.getTime() - daysAgo * 86_400_000),
    },
  });
  assert.deepEqual(await add(parted(LEFT_ALONE_DAYS - 1)), ['MEMBER_LEFT', [approach]]);
  assert.deepEqual(await add(parted(LEFT_ALONE_DAYS - 1), callerOf('ada', 'admin')), joined);
  assert.deepEqual(await add(parted(LEFT_ALONE_DAYS)), joined);
  assert.deepEqual(await add({ isUnknown: true }), ['NOT_FOUND', []]);
  assert.deepEqual(await add({ lockedMembership: BANNED }), ['BANNED', [approach]]);
  assert.deepEqual(await add({ isBlocked: true }), ['BLOCKED', [approach]]);
});

test('the members of a room are counted by the room', async () => {
  const { items, total } = await ruling().rules.membersOf(OPEN, { page: 1, limit: 9 }, BEN);
  assert.deepEqual([items.map(({ userId }) => userId), total], [['ben'], 3]);
});
