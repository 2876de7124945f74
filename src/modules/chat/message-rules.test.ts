import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure } from '../../kernel/failures.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { DAY_MS, manualClock } from '../../kernel/time/time.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { MAX_EDITS, type Message } from './messages.model.ts';
import { messageRules } from './messages.ts';
import { purging } from './purging.ts';
import type { Membership, Room } from './rooms.model.ts';

// Reading, editing and deleting messages as their room is found under its lock, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(AT.getTime() + ms);
const callerOf = (userId: string, ...permissions: string[]) =>
  ({ kind: 'user', userId, permissions }) as unknown as UserCaller;
const [ADA, BEN, EVE] = [callerOf('ada'), callerOf('ben'), callerOf('eve', 'moderator')];
const OPEN = { id: 'r1', type: 'public', createdBy: 'ada', lastSeq: 7 } as Room;
const MESSAGE = { id: 'm1', roomId: 'r1', userId: 'ben', message: 'Hi', seq: 3, changedSeq: 3 } as Message;
const membershipOf = (fields: Partial<Membership> = {}) =>
  ({
    roomId: 'r1',
    userId: 'ben',
    isMember: true,
    mutedUntil: null,
    bannedAt: null,
    ...fields,
  }) as Membership;
const tooMany = failure(429, 'TOO_MANY', 'Too many');

interface State {
  room?: Room | undefined;
  membership?: Membership | undefined;
  message?: Message | undefined;
  isMuted?: boolean;
  isBlocked?: boolean;
  hasTooMany?: boolean;
  seq?: number | undefined;
  /** How often the message was edited lately. */
  edits?: number;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const [room, membership, message] = [
    'room' in state ? state.room : OPEN,
    'membership' in state ? state.membership : membershipOf(),
    'message' in state ? state.message : MESSAGE,
  ];
  const rules = messageRules({
    store: {
      find: async () => message,
      findAnywhere: async () => message,
      pageOf: async () => ({ items: [MESSAGE], total: 5 }),
      seqOf: async () => ('seq' in state ? state.seq : 3),
      count: async () => 5,
      nextTo: async (...asked: unknown[]) => {
        done.push(['next', ...asked]);
        return [MESSAGE];
      },
      edit: async (_tx: unknown, { id }: Message, change: object) => done.push(['edit', id, change]),
      delete: async (_tx: unknown, { id }: Message, change: object) => done.push(['delete', id, change]),
    } as never,
    rooms: { lock: async () => (room ? [room] : []) } as never,
    members: { find: async () => (membership ? [membership] : []) } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    live: {
      send: async (channel: string, all: { kind: { type: string }; seq: number }[]) =>
        done.push(['tell', channel, ...all.map(({ kind, seq }) => `${kind.type} ${seq}`)]),
    } as never,
    moderation: {
      maySpeak: async () => {
        if (state.isMuted) throw muted();
      },
      mayApproach: async (whom, userId) => {
        done.push(['approach', whom, userId]);
        if (state.isBlocked) throw blocked();
      },
      intervene: async (_tx, { actor }, { kind, action, authorId }) => {
        done.push(['intervene', actor, kind, action, authorId]);
      },
      closeReports: async (_tx, { subjectIds }, { actor }) => void done.push(['close', ...subjectIds, actor]),
    },
    take: async (kind, userId) => {
      if (state.hasTooMany) throw tooMany();
      done.push(['take', kind, userId]);
    },
    earlier: {
      count: async () => state.edits ?? 0,
      keep: async (_tx, _id, { message }) => void done.push(['keep', message]),
    },
    newId: () => 'e1',
    identity: { profilesOf: async () => [] } as never,
    clock: manualClock(AT.getTime()),
  });
  const outcomeOf = (work: Promise<{ message?: string; changedSeq?: number } | undefined>) =>
    work.then(
      (one) => one && [one.message, one.changedSeq],
      ({ code }: Failure) => code,
    );
  return { rules, done, outcomeOf };
}
const TAKEN = ['take', 'edit', 'ben'];
const told = (type: string) => ['tell', liveChannel.room('r1'), `${type} 8`];

async function edit(state: State = {}, caller = BEN) {
  const { rules, done, outcomeOf } = ruling(state);
  return { outcome: await outcomeOf(rules.edit('r1', 'm1', 'Hello', caller)), done };
}
const FACTS = { requestId: 'request', address: '::1', network: '::1', userAgent: 'test' };
async function remove(state: State = {}, caller = BEN) {
  const { rules, done, outcomeOf } = ruling(state);
  return { outcome: await outcomeOf(rules.delete('r1', 'm1', caller, FACTS)), done };
}
const DELETED = (by: string, isDecided = false) => ['delete', 'm1', { by, isDecided, seq: 8, at: AT }];

test('an edit is the next event of its room, and is sent to it', async () => {
  assert.deepEqual(await edit(), {
    outcome: ['Hello', 8],
    done: [TAKEN, ['keep', 'Hi'], ['edit', 'm1', { text: 'Hello', seq: 8, at: AT }], told('chat:updated')],
  });
});

test('only its author edits a message, while they may still write in the room', async () => {
  for (const [state, code, caller = BEN] of [
    [{}, 'FORBIDDEN', ADA],
    [{}, 'FORBIDDEN', EVE],
    [{ room: undefined }, 'NOT_FOUND'],
    [{ message: undefined }, 'NOT_FOUND'],
    [{ membership: membershipOf({ bannedAt: AT }) }, 'BANNED'],
    [{ room: { ...OPEN, type: 'private' }, membership: undefined }, 'NOT_A_MEMBER'],
    [{ isMuted: true }, 'MUTED'],
    [{ membership: membershipOf({ mutedUntil: later(1) }) }, 'MUTED'],
    [{ isBlocked: true, membership: undefined }, 'BLOCKED'],
    [{ isBlocked: true, membership: membershipOf({ isMember: false }) }, 'BLOCKED'],
    [{ hasTooMany: true }, 'TOO_MANY'],
    [{ edits: MAX_EDITS }, 'TOO_MANY_EDITS'],
  ] as [State, string, UserCaller?][]) {
    const { outcome, done } = await edit(state, caller);
    assert.equal(outcome, code, JSON.stringify(state));
    assert.deepEqual(
      done.filter(([what]) => what === 'edit' || what === 'tell'),
      [],
    );
  }
  for (const state of [{ isBlocked: true }, { membership: membershipOf({ mutedUntil: later(-1) }) }])
    assert.deepEqual((await edit(state)).outcome, ['Hello', 8], JSON.stringify(state));
});

test('a moderator who is muted in a room edits there as they write there', async () => {
  const state = {
    message: { ...MESSAGE, userId: 'eve' },
    membership: membershipOf({ userId: 'eve', mutedUntil: later(1) }),
  };
  assert.deepEqual((await edit(state, EVE)).outcome, ['Hello', 8]);
});

test('a message is deleted by its author, the creator of the room or a moderator, who closes its reports, and told', async () => {
  for (const caller of [BEN, ADA, EVE])
    assert.deepEqual(await remove({}, caller), {
      outcome: ['Hi', 8],
      done: [
        ...(caller === EVE ? [['close', 'm1', 'eve']] : []),
        DELETED(caller.userId, caller === EVE),
        ...(caller === EVE ? [['intervene', 'eve', 'message', 'removed', 'ben']] : []),
        told('chat:deleted'),
      ],
    });
  assert.deepEqual(await remove({}, callerOf('cat')), { outcome: 'FORBIDDEN', done: [] });
  assert.deepEqual(await remove({ message: undefined }), { outcome: 'NOT_FOUND', done: [] });
  assert.deepEqual((await remove({ membership: membershipOf({ bannedAt: AT }) })).outcome, 'BANNED');
});

test('a reported message is removed in a transaction, and told after it', async () => {
  const { rules, done } = ruling();
  const tell = await rules.removeIn('tx' as never, 'm1', EVE);
  assert.deepEqual(done, [DELETED('eve', true)]);
  await tell?.();
  assert.deepEqual(done.at(-1), told('chat:deleted'));
  const gone = ruling({ message: undefined });
  assert.equal(await gone.rules.removeIn('tx' as never, 'm1', EVE), undefined);
});

test('messages are read by page, or from the place of one of them on', async () => {
  const request = { page: 2, limit: 9 };
  const read = async (cursor: { before?: string; after?: string }, state: State = {}) => {
    const { rules, done } = ruling(state);
    const { items, total, page } = await rules.pageOf('r1', request, cursor);
    return [items.length, total, page, done];
  };
  assert.deepEqual(await read({}), [1, 5, 2, []]);
  assert.deepEqual(await read({ before: 'm1' }), [1, 5, 1, [['next', 'r1', { before: 3 }, 9]]]);
  assert.deepEqual(await read({ after: 'm1' }), [1, 5, 1, [['next', 'r1', { after: 3 }, 9]]]);
  const { rules } = ruling({ seq: undefined, message: undefined });
  await assert.rejects(rules.pageOf('r1', request, { before: 'm1' }), { code: 'NOT_FOUND' });
});

test('the messages of a week go when a mute says so, a hundred at a time, in the order of their rooms', async () => {
  const messages = [
    { ...MESSAGE, id: 'm1', roomId: 'r2' },
    { ...MESSAGE, id: 'm2', roomId: 'r1' },
    { ...MESSAGE, id: 'm3', roomId: 'r2' },
    { ...MESSAGE, id: 'm4', roomId: 'gone' },
  ];
  const purge = async (deletesMessages: boolean) => {
    const done: unknown[][] = [];
    let rounds = 0;
    const { handleExternally } = purging({
      rooms: {
        lock: async (_tx: unknown, ids: string[]) => {
          done.push(['lock', ...ids]);
          return ['r1', 'r2'].map((id) => ({ ...OPEN, id })).filter(({ id }) => ids.includes(id));
        },
      } as never,
      messages: {
        someOf: async (_tx: unknown, userId: string, since: Date, limit: number) => {
          assert.deepEqual([userId, since, limit], ['ben', later(-7 * DAY_MS), 100]);
          return rounds > 0 ? [] : messages;
        },
        delete: async (_tx: unknown, { id }: Message, change: object) => done.push(['delete', id, change]),
      } as never,
      identity: { profilesOf: async () => [] } as never,
      moderation: {
        closeReports: async (_tx, { subjectIds }, { actor }) =>
          void done.push(['close', ...subjectIds, actor]),
      },
      database: {
        transaction: async (work: (tx: unknown) => unknown) => {
          const result = await work('tx');
          rounds++;
          return result;
        },
      } as never,
      live: {
        send: async (channel: string, all: { kind: { type: string }; seq: number }[]) =>
          done.push(['tell', channel, ...all.map(({ kind, seq }) => `${kind.type} ${seq}`)]),
      } as never,
      clock: manualClock(AT.getTime()),
    }) as unknown as { handleExternally: (event: object) => Promise<void> };
    await handleExternally({ data: { userId: 'ben', by: 'eve', deletesMessages } });
    return done;
  };
  assert.deepEqual(await purge(false), []);
  const gone = (id: string, seq: number) => ['delete', id, { by: 'eve', isDecided: true, seq, at: AT }];
  assert.deepEqual(await purge(true), [
    ['close', 'm1', 'm2', 'm3', 'm4', 'eve'],
    ['lock', 'gone', 'r1', 'r2'],
    gone('m1', 8),
    gone('m2', 8),
    gone('m3', 9),
    ['tell', liveChannel.room('r2'), 'chat:deleted 8', 'chat:deleted 9'],
    ['tell', liveChannel.room('r1'), 'chat:deleted 8'],
  ]);
});
