import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveChannel } from '../../kernel/live/live.ts';
import { manualClock } from '../../kernel/time/time.ts';
import { blocking } from './blocking.ts';
import { erasing } from './erasing.ts';

// Whom a block or a deletion takes out of which rooms, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
type Handler = (events: object[] | object, tx?: unknown) => Promise<void>;

test('a block bans from all rooms of the blocker at once, leaves those of two, and then sends away', async () => {
  const done: unknown[][] = [];
  const note =
    (what: string) =>
    async (...values: unknown[]) =>
      done.push([what, ...values.filter((value) => value !== 'tx' && !(value instanceof Date))]);
  const { subscriptions, jobs } = blocking({
    store: { lockOwn: note('lock') } as never,
    members: {
      roomsOfTwo: async () => ({ own: ['own', 'other'], shared: ['shared'] }),
      leaveAll: async (_tx: unknown, roomIds: string[], userId: string) => {
        done.push(['leave', roomIds, userId]);
        return roomIds.map((roomId) => ({ roomId, notifiedSince: AT }));
      },
      banFromAll: note('ban'),
    } as never,
    telling: {
      withdraw: async (_tx: unknown, userId: string, left: { roomId: string }[]) =>
        void done.push(['withdraw', userId, left.map(({ roomId }) => roomId)]),
      tellRemoved: async (...told: unknown[]) => void done.push(['tell', ...told]),
    },
    jobs: {
      enqueue: async (_tx: unknown, { name }: { name: string }, all: object[]) =>
        void done.push(['enqueue', name, ...all]),
    } as never,
    live: { revoke: note('revoke') } as never,
    clock: manualClock(AT.getTime()),
  }) as unknown as { subscriptions: [{ handleInTransaction: Handler }]; jobs: [{ run: Handler }] };
  const event = { data: { blockerId: 'ada', blockedId: 'ben' } };
  await subscriptions[0].handleInTransaction([event], 'tx');
  const theirs = { userId: 'ben', roomIds: ['own', 'other'], reason: 'BANNED' };
  await jobs[0].run(theirs);
  assert.deepEqual(done, [
    ['lock', ['ada', 'ben']],
    ['leave', ['own', 'other'], 'ben'],
    ['withdraw', 'ben', ['own', 'other']],
    ['ban', ['own', 'other'], 'ben'],
    ['leave', ['shared'], 'ada'],
    ['withdraw', 'ada', ['shared']],
    ['enqueue', 'chat.send-away', theirs, { userId: 'ada', roomIds: ['shared'], reason: 'LEFT' }],
    ['revoke', liveChannel.room('own'), { userId: 'ben', reason: 'BANNED' }],
    ['revoke', liveChannel.room('other'), { userId: 'ben', reason: 'BANNED' }],
    ['tell', 'ben', ['own', 'other'], 'BANNED'],
  ]);
});

test('a deleted member passes on their rooms and leaves every other one, and their room as an educator is deleted', async () => {
  const erase = async (roomId: string | undefined) => {
    const done: unknown[][] = [];
    const note =
      (what: string, result?: unknown) =>
      async (...values: unknown[]) => {
        done.push([what, ...values.filter((value) => value !== 'tx' && !(value instanceof Date))]);
        return result;
      };
    const [some, own] = [
      [100, 3, 0],
      [['shared', 'lonely'], [], ['received']],
    ];
    const { handleExternally } = erasing({
      store: { ofEducator: async () => roomId },
      members: {
        leaveSome: async () => {
          done.push(['leave']);
          return some.shift() ?? 0;
        },
        forget: note('forget') as never,
      },
      owners: { someOf: async () => own.shift() ?? [], forget: note('delete') as never },
      earlier: { forget: note('forget texts') as never },
      ownerRules: {
        passOn: async (id: string) => {
          done.push(['pass on', id]);
          return id === 'lonely';
        },
      },
      telling: { tellAll: note('tell all') as never },
      database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
      events: {
        publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
          done.push(['publish', name, data]),
      } as never,
      live: { revoke: note('revoke') } as never,
      clock: manualClock(AT.getTime()),
    }) as unknown as { handleExternally: Handler };
    await handleExternally({ data: { userId: 'ada' } });
    return done;
  };
  const deleted = (id: string) => ['revoke', liveChannel.room(id), { reason: 'ROOM_DELETED' }];
  const forgotten = ['forget texts', 'ada'];
  const left = [
    ['pass on', 'shared'],
    ['pass on', 'lonely'],
    deleted('lonely'),
    ['leave'],
    ['pass on', 'received'],
    ['leave'],
    ['leave'],
    ['forget', 'ada'],
  ];
  assert.deepEqual(await erase(undefined), [forgotten, ...left]);
  assert.deepEqual(await erase('r1'), [
    forgotten,
    ['delete', 'r1', 'A former educator'],
    ['publish', 'chat.room-changed', { roomId: 'r1' }],
    ['tell all', 'r1'],
    deleted('r1'),
    ...left,
  ]);
});
