import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { addedToRoom, memberMutedInRoom } from './chat.live.ts';
import { LEFT_ALONE_DAYS, MAX_OWN_ROOMS, type Membership, type Room } from './rooms.model.ts';
import { roomRules } from './rooms.ts';

// What is written, announced and told when rooms and memberships change, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const callerOf = (userId: string, ...permissions: string[]) =>
  ({ kind: 'user', userId, permissions }) as unknown as UserCaller;
const BEN = callerOf('ben');
const ADA = callerOf('ada');
const FACTS = {} as RequestFacts;
const OPEN = { id: 'r1', name: 'Gold', type: 'public', createdBy: 'ada', memberCount: 3 } as Room;
const SECRET = { ...OPEN, type: 'private' } as Room;
const MEMBER = {
  roomId: 'r1',
  userId: 'ben',
  isMember: true,
  mutedUntil: null,
  bannedAt: null,
  leftAt: null,
} as Membership;
const BANNED = { ...MEMBER, isMember: false, bannedAt: AT };

/** A transaction, whose locks are noted by nobody. */
const TX = { lock: async () => undefined };

interface State {
  /** The room as it is found, and under its lock; undefined once it is gone. */
  room?: Room | undefined;
  locked?: Room | undefined;
  /** The membership as it is found, and under the lock of the room. */
  membership?: Membership | undefined;
  lockedMembership?: Membership | undefined;
  isBlocked?: boolean;
  /** Whether the caller is muted everywhere. */
  isMuted?: boolean;
  /** Whether there is a membership to leave. */
  hasLeft?: boolean;
  isUnknown?: boolean;
  /** Whether a join changes nothing. */
  isInAlready?: boolean;
  active?: [string, number][];
  /** How many rooms the creator has. */
  ownRooms?: number;
}

function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const noting =
    (what: string, result?: unknown) =>
    async (...values: unknown[]) => {
      done.push([what, ...values.filter((value) => value !== TX && value !== AT)]);
      return result;
    };
  const room = 'room' in state ? state.room : OPEN;
  const locked = 'locked' in state ? state.locked : room;
  const rules = roomRules({
    store: {
      findAll: async () => (room ? [room] : []),
      lock: async () => (locked ? [locked] : []),
      pageOf: async (filter: object, request: object) => {
        done.push(['page', filter]);
        return { ...request, items: room ? [room] : [], total: 1 };
      },
      insert: noting('insert'),
      countOwn: async () => state.ownRooms ?? 0,
      update: noting('update', locked),
      delete: noting('delete', locked !== undefined),
    } as never,
    members: {
      unreadOf: async () => new Map(),
      someOthersIn: async () => [],
      find: async (_pairs: object[], tx?: unknown) => {
        const found = tx && 'lockedMembership' in state ? state.lockedMembership : state.membership;
        return found ? [found] : [];
      },
      join: noting('join', state.isInAlready ? [] : [{ roomId: 'r1' }]),
      leaveAll: async (_tx: unknown, roomIds: string[], userId: string) => {
        done.push(['leave', ...roomIds, userId]);
        return state.hasLeft === false ? [] : roomIds.map((roomId) => ({ roomId, notifiedSince: null }));
      },
      mute: noting('mute'),
      ban: noting('ban'),
      pageOf: async () => [{ userId: 'ben', mutedUntil: null }],
    } as never,
    messages: { lastOf: async () => [], hasOthersThan: async () => false },
    database: { transaction: async (work: (tx: unknown) => unknown) => work(TX) } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
        done.push(['publish', name, data]),
    } as never,
    live: { review: noting('review'), revoke: noting('revoke'), send: noting('send') } as never,
    telling: {
      note: noting('note'),
      withdraw: async () => undefined,
      tellRemoved: noting('tell removed'),
      opening: () => async () => undefined,
      withdrawOpening: async () => undefined,
      announcing: () => async () => {
        done.push(['announce']);
        return true;
      },
    } as never,
    audit: { record: async () => 'e1', recordOnce: async () => undefined },
    presence: {
      activeIn: async () => new Map(state.active ?? [['r1', 2]]),
      whoIsIn: async () => ({ active: 1, online: ['ben'] }),
    },
    moderation: {
      mayApproach: async (whom: string, userId: string) => {
        done.push(['approach', whom, userId]);
        if (state.isBlocked) throw blocked();
      },
      maySpeak: async () => {
        if (state.isMuted) throw muted();
      },
      intervene: async () => undefined,
      closeReports: async () => undefined,
    },
    allowances: {
      takeRoom: noting('take room'),
      takeAdding: noting('take adding'),
      takeRestricting: async () => undefined,
    } as never,
    identity: {
      contactsOf: async () => (state.isUnknown ? [] : [{}]),
      profilesOf: async () => [],
    } as never,
    clock: { date: () => AT, now: () => AT.getTime() },
    newId: () => 'r1',
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code, message }: Failure) => code ?? message,
    );
  return { rules, done, codeOf };
}
const CHANNEL = liveChannel.room('r1');
const CHANGED = ['publish', 'chat.room-changed', { roomId: 'r1' }];

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
  assert.deepEqual(opened.done.at(-1), CHANGED, 'it was public, so that nothing has changed');
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

test('the members of a room are counted by the room', async () => {
  const { items, total } = await ruling().rules.membersOf(OPEN, { page: 1, limit: 9 }, BEN);
  assert.deepEqual([items.map(({ userId }) => userId), total], [['ben'], 3]);
});
