import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../kernel/failures.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { manualClock } from '../../kernel/time/time.ts';
import { allowances } from './allowances.ts';
import { muting } from './muting.ts';
import { roomAccess } from './room-access.ts';
import type { Membership, Room } from './rooms.model.ts';

// Who may read, change and write in which rooms, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const CLOCK = manualClock(AT.getTime());
const callerOf = (userId: string, ...permissions: string[]) =>
  ({ kind: 'user', userId, permissions }) as unknown as UserCaller;
const BEN = callerOf('ben');
const ROOMS = [
  { id: 'open', type: 'public', createdBy: 'ada' },
  { id: 'secret', type: 'private', createdBy: 'ada' },
] as Room[];
const of = (roomId: string, userId: string, fields: Partial<Membership> = {}): Membership => ({
  roomId,
  userId,
  isMember: false,
  mutedUntil: null,
  bannedAt: null,
  lastSentAt: null,
  leftAt: null,
  isQuiet: false,
  ...fields,
});
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'may',
    ({ code }: Failure) => code,
  );

function accessOf(...memberships: Membership[]) {
  const asked: number[] = [];
  const access = roomAccess({
    store: {
      findAll: async (ids) => {
        asked.push(ids.length);
        return ROOMS.filter(({ id }) => ids.includes(id));
      },
    },
    members: {
      find: async (all) => {
        asked.push(all.length);
        return memberships.filter((one) =>
          all.some(({ roomId, userId }) => roomId === one.roomId && userId === one.userId),
        );
      },
    },
    database: { transaction: async (work: (tx: never) => unknown) => work({} as never) } as never,
    audit: { recordOnce: async () => undefined },
  });
  return { ...access, asked };
}

test('a room is read by everybody if it is public, and otherwise by its members, but not while banned', async () => {
  const read = (roomId: string, caller: UserCaller, ...memberships: Membership[]) =>
    codeOf(accessOf(...memberships).readable(roomId, caller));
  assert.equal(await read('open', BEN), 'may');
  assert.equal(await read('secret', BEN), 'NOT_A_MEMBER');
  assert.equal(await read('secret', BEN, of('secret', 'ben')), 'NOT_A_MEMBER');
  assert.equal(await read('secret', BEN, of('secret', 'ben', { isMember: true })), 'may');
  assert.equal(await read('secret', BEN, of('secret', 'eve', { isMember: true })), 'NOT_A_MEMBER');
  for (const room of ['open', 'secret'])
    assert.equal(await read(room, BEN, of(room, 'ben', { bannedAt: AT })), 'BANNED');
  for (const permission of ['moderator', 'admin'])
    assert.equal(
      await read('secret', callerOf('ben', permission), of('secret', 'ben', { bannedAt: AT })),
      'may',
    );
  assert.match(await read('gone', BEN), /NOT_FOUND/);
});

test('a room is changed by its creator and administrators, and moderated by moderators as well', async () => {
  const { owned, moderated } = accessOf();
  for (const [caller, owns, moderates] of [
    [callerOf('ada'), 'may', 'may'],
    [callerOf('ben', 'admin'), 'may', 'may'],
    [callerOf('ben', 'moderator'), 'FORBIDDEN', 'may'],
    [BEN, 'FORBIDDEN', 'FORBIDDEN'],
  ] as const) {
    assert.equal(await codeOf(owned('open', caller)), owns);
    assert.equal(await codeOf(moderated('open', caller)), moderates);
  }
});

test('of many readers, those who may not read are found, by room and member', async () => {
  const { excluded, asked } = accessOf(
    of('secret', 'ben', { isMember: true }),
    of('open', 'eve', { bannedAt: AT }),
  );
  const readers = ['open', 'secret', 'gone'].flatMap((roomId) =>
    [BEN, callerOf('eve'), callerOf('max', 'moderator')].map((caller) => ({ roomId, caller })),
  );
  const found = (await excluded(readers)).map(({ roomId, caller }) => `${roomId} ${caller.userId}`);
  assert.deepEqual(found, ['open eve', 'secret eve', 'gone ben', 'gone eve', 'gone max']);
  assert.equal(asked[0], 3, 'each room once');
});

test('readers who come together are looked up once each', async () => {
  const { readable, asked } = accessOf(of('secret', 'ben', { isMember: true }));
  const both = [readable('secret', BEN), readable('secret', BEN), readable('open', callerOf('eve'))];
  assert.deepEqual(
    (await Promise.all(both)).map(({ id }) => id),
    ['secret', 'secret', 'open'],
  );
  assert.deepEqual(asked, [2, 2]);
});

test('a member is silent while muted in a room or everywhere, or banned; moderators never are', async () => {
  const silent = (caller: UserCaller, membership?: Partial<Membership>, everywhere: string[] = []) =>
    muting({
      members: { find: async () => (membership ? [of('open', 'ben', membership)] : []) },
      moderation: { mutedAmong: async () => new Map(everywhere.map((id) => [id, AT])) },
      clock: CLOCK,
    })('open', caller);
  assert.equal(await silent(BEN), false);
  assert.equal(await silent(BEN, { isMember: true }), false);
  assert.equal(await silent(BEN, { mutedUntil: new Date(AT.getTime() + 1) }), true);
  assert.equal(await silent(BEN, { mutedUntil: new Date(AT.getTime() - 1) }), false);
  assert.equal(await silent(BEN, { bannedAt: AT }), true);
  assert.equal(await silent(BEN, undefined, ['ben']), true);
  assert.equal(await silent(BEN, undefined, ['eve']), false);
  assert.equal(await silent(callerOf('eve'), { bannedAt: AT }), false, 'of another member');
  const moderator = callerOf('ben', 'moderator');
  assert.equal(await silent(moderator, { bannedAt: AT }, ['ben']), false);
});

test('a hundred messages a minute are admitted, apart from edits, and then it is said when to go on', async () => {
  const asked: unknown[][] = [];
  const take = (admitted: boolean, inMs: number) =>
    allowances(
      {
        consumeSliding: async (...all: unknown[]) => {
          asked.push(all);
          return { admitted, retryAtMs: AT.getTime() + inMs };
        },
      } as never,
      CLOCK,
    );
  await take(true, 0)('message', 'ben');
  const rate = { lengthMs: 60_000, limit: 100 };
  assert.deepEqual(asked, [['chat-message:ben', rate, AT.getTime()]]);
  for (const [ms, seconds] of [
    [2_001, 3],
    [2_000, 2],
    [0, 1],
    [-500, 1],
  ] as const)
    await assert.rejects(take(false, ms)('edit', 'ben'), ({ status, details }: Failure) => {
      assert.deepEqual([status, details.retryAfterSeconds], [429, seconds]);
      return true;
    });
  assert.equal(asked.at(-1)?.[0], 'chat-edit:ben');
});
