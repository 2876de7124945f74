import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../kernel/failures.ts';
import { type Command, failuresOf } from '../../kernel/live/live-commands.ts';
import { digestOf } from '../../kernel/secrets.ts';
import type { BlockPair } from '../moderation/contract.ts';
import { chatCommands } from './chat.commands.ts';
import type { Message } from './messages.model.ts';
import { messageOperations } from './messages.operations.ts';
import type { Membership, Room } from './rooms.model.ts';
import { type Draft, sending } from './sending.ts';

// Which messages of a batch are accepted, as the room is found under its lock: requests meet what has changed since they
// were let in.

const AT = new Date('2026-03-01T12:00:00Z');
const before = (ms: number) => new Date(AT.getTime() - ms);
const OPEN = { id: 'open', type: 'public', createdBy: 'ada', slowModeSeconds: 0, lastSeq: 7 } as Room;
const SECRET = { ...OPEN, id: 'secret', type: 'private', lastSeq: 0 } as Room;
const membershipOf = (roomId: string, userId: string, fields: Partial<Membership> = {}): Membership => ({
  roomId,
  userId,
  isMember: true,
  mutedUntil: null,
  bannedAt: null,
  lastSentAt: null,
  leftAt: null,
  isQuiet: false,
  ...fields,
});
const draftOf = (fields: Partial<Draft> = {}): Draft => ({
  roomId: 'open',
  userId: 'ben',
  message: 'Hello',
  clientId: null,
  isModerator: false,
  ...fields,
});

interface State {
  rooms?: Room[];
  members?: Membership[];
  blocks?: BlockPair[];
  muted?: string[];
  repeated?: Partial<Message>[];
}

/** Sends drafts together; returns their outcomes with what was done. */
async function sendAll(drafts: Draft[], state: State = {}) {
  const done: unknown[][] = [];
  const asked: unknown[][] = [];
  const idsOf = (all: { roomId: string; userId: string }[]) =>
    all.map(({ roomId, userId }) => `${roomId} ${userId}`);
  let ids = 0;
  const send = sending({
    rooms: {
      lock: async (_tx: unknown, roomIds: string[]) => {
        asked.push(['lock', ...roomIds]);
        return (state.rooms ?? [OPEN, SECRET])
          .filter(({ id }) => roomIds.includes(id))
          .map((room) => ({ ...room }));
      },
    } as never,
    members: {
      find: async () => state.members ?? [],
      join: async (_tx: unknown, all: Draft[]) => done.push(['join', ...idsOf(all)]),
    } as never,
    messages: {
      byClientId: async (_tx: unknown, all: Draft[]) => {
        asked.push(['repeated', ...all.map(({ clientId }) => clientId)]);
        return state.repeated ?? [];
      },
      insert: (_tx: unknown, all: Message[]) => done.push(['insert', ...all.map(({ seq }) => seq)]),
      touch: (_tx: unknown, all: Message[]) => done.push(['touch', ...idsOf(all)]),
    } as never,
    moderation: {
      blocksAmong: async (pairs: BlockPair[]) => {
        asked.push(['blocks', ...pairs.map(({ blockerId, blockedId }) => `${blockerId} ${blockedId}`)]);
        return (state.blocks ?? []).filter((block) =>
          pairs.some((pair) => pair.blockedId === block.blockedId),
        );
      },
      mutedAmong: async (userIds: string[]) => {
        asked.push(['muted', ...userIds]);
        return new Map((state.muted ?? []).map((id) => [id, AT]));
      },
    } as never,
    identity: { profilesOf: async () => [] } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    events: {
      publish: async (_tx: unknown, _kind: unknown, ...all: object[]) => done.push(['publish', all.length]),
    } as never,
    tellIn: async () => () => undefined,
    take: async (kind: string, userId: string) => void asked.push(['take', kind, userId]),
    live: {
      send: async (_channel: unknown, all: unknown[]) => done.push(['tell', all.length]),
    } as never,
    clock: { now: () => AT.getTime() } as never,
    newId: () => `m${++ids}`,
  });
  const outcomes = await Promise.all(
    drafts.map((draft) =>
      send(draft).then(
        ({ id, seq, message, isRepeated }) => [id, seq, message, isRepeated],
        ({ code, details }: Failure) =>
          details?.retryAfterSeconds ? [code, details.retryAfterSeconds] : code,
      ),
    ),
  );
  return { outcomes, done, asked };
}
const outcomeOf = async (draft: Partial<Draft>, state: State = {}) =>
  (await sendAll([draftOf(draft)], state)).outcomes[0];
const SENT = ['m1', 8, 'Hello', false];

test('a message is stored, announced and told, and makes a stranger a member of a public room', async () => {
  const strange = await sendAll([draftOf()]);
  assert.deepEqual(strange.outcomes, [SENT]);
  assert.deepEqual(strange.done, [
    ['insert', 8],
    ['publish', 1],
    ['join', 'open ben'],
    ['tell', 1],
  ]);
  const known = await sendAll([draftOf()], { members: [membershipOf('open', 'ben')] });
  assert.deepEqual(known.done, [
    ['insert', 8],
    ['publish', 1],
    ['tell', 1],
  ]);
  assert.deepEqual(known.asked, [
    ['take', 'message', 'ben'],
    ['lock', 'open'],
    ['muted', 'ben'],
  ]);
});

test('who was banned, removed, blocked or muted since is refused, and a room that is gone is not found', async () => {
  const slow = { ...OPEN, slowModeSeconds: 10 };
  for (const [draft, state, expected] of [
    [{ roomId: 'gone' }, {}, 'NOT_FOUND'],
    [{}, { members: [membershipOf('open', 'ben', { bannedAt: AT, isMember: false })] }, 'BANNED'],
    [{}, { members: [membershipOf('open', 'ben', { bannedAt: AT })] }, 'BANNED'],
    [{ isModerator: true }, { members: [membershipOf('open', 'ben', { bannedAt: AT })] }, 'BANNED'],
    [{ roomId: 'secret' }, {}, 'NOT_A_MEMBER'],
    [{ roomId: 'secret' }, { members: [membershipOf('secret', 'ben', { isMember: false })] }, 'NOT_A_MEMBER'],
    [{ roomId: 'secret' }, { members: [membershipOf('open', 'ben')] }, 'NOT_A_MEMBER'],
    [{ roomId: 'secret' }, { members: [membershipOf('secret', 'ben')] }, ['m1', 1, 'Hello', false]],
    [{}, { blocks: [{ blockerId: 'ada', blockedId: 'ben' }] }, 'BLOCKED'],
    [{ roomId: 'secret' }, { blocks: [{ blockerId: 'ada', blockedId: 'ben' }] }, 'NOT_A_MEMBER'],
    [{}, { blocks: [{ blockerId: 'eve', blockedId: 'ben' }] }, SENT],
    [{}, { blocks: [{ blockerId: 'ada', blockedId: 'ben' }], members: [membershipOf('open', 'ben')] }, SENT],
    [{}, { muted: ['ben'] }, 'MUTED'],
    [{}, { muted: ['eve'] }, SENT],
    [{ userId: 'ada' }, { muted: ['ada'] }, 'MUTED'],
    [{ isModerator: true }, { muted: ['ben'] }, SENT],
    [{}, { members: [membershipOf('open', 'ben', { mutedUntil: before(-1) })] }, 'MUTED'],
    [{}, { members: [membershipOf('open', 'ben', { mutedUntil: before(1) })] }, SENT],
    [{ isModerator: true }, { members: [membershipOf('open', 'ben', { mutedUntil: before(-1) })] }, SENT],
    [{ userId: 'ada' }, { members: [membershipOf('open', 'ada', { mutedUntil: before(-1) })] }, SENT],
    [
      {},
      { rooms: [slow], members: [membershipOf('open', 'ben', { lastSentAt: before(9_999) })] },
      ['SLOW_MODE', 1],
    ],
    [
      {},
      { rooms: [slow], members: [membershipOf('open', 'ben', { lastSentAt: before(1_001) })] },
      ['SLOW_MODE', 9],
    ],
    [{}, { rooms: [slow], members: [membershipOf('open', 'ben', { lastSentAt: before(10_000) })] }, SENT],
    [{}, { rooms: [slow], members: [membershipOf('open', 'ben')] }, SENT],
    [{ userId: 'ada' }, { rooms: [slow], members: [membershipOf('open', 'ada', { lastSentAt: AT })] }, SENT],
    [
      { isModerator: true },
      { rooms: [slow], members: [membershipOf('open', 'ben', { lastSentAt: AT })] },
      SENT,
    ],
  ] as [Partial<Draft>, State, unknown][]) {
    assert.deepEqual(await outcomeOf(draft, state), expected, JSON.stringify([draft, state]));
  }
});

test('a refused message changes nothing, and is sent to nobody', async () => {
  const { done } = await sendAll([draftOf()], { muted: ['ben'] });
  assert.deepEqual(done, [['publish', 0]]);
});

test('messages of one batch are numbered by room, and each is judged by those before it', async () => {
  const { outcomes, done, asked } = await sendAll(
    [
      draftOf({ userId: 'ada' }),
      draftOf({ roomId: 'secret', userId: 'ada' }),
      draftOf(),
      draftOf({ message: 'again' }),
      draftOf({ userId: 'eve' }),
      draftOf({ userId: 'ada' }),
    ],
    {
      rooms: [{ ...OPEN, slowModeSeconds: 5 }, SECRET],
      members: [membershipOf('open', 'ada'), membershipOf('secret', 'ada')],
      muted: ['eve'],
    },
  );
  assert.deepEqual(outcomes, [
    ['m1', 8, 'Hello', false],
    ['m2', 1, 'Hello', false],
    ['m3', 9, 'Hello', false],
    ['SLOW_MODE', 5],
    'MUTED',
    ['m4', 10, 'Hello', false],
  ]);
  assert.deepEqual(done, [
    ['insert', 8, 1, 9, 10],
    ['publish', 4],
    ['join', 'open ben'],
    ['touch', 'open ada', 'open ben', 'open ada'],
    ['tell', 3],
    ['tell', 1],
  ]);
  assert.deepEqual(
    asked.find(([what]) => what === 'lock'),
    ['lock', 'open', 'secret'],
    'each once, in order',
  );
});

test('a message that is sent again under its id is stored once, whatever has changed since', async () => {
  const stored = { id: 'm0', roomId: 'open', userId: 'ben', clientId: 'c1', seq: 3, message: 'Hello' };
  const message = (fields: Partial<Message> = {}) =>
    ({ ...stored, editedAt: null, deletedAt: null, sentDigest: null, ...fields }) as Message;
  const again = (fields: Partial<Message>, draft: Partial<Draft> = {}, state: State = {}) =>
    outcomeOf({ clientId: 'c1', ...draft }, { repeated: [message(fields)], ...state });
  const repeated = ['m0', 3, 'Hello', true];
  assert.deepEqual(await again({}), repeated);
  assert.deepEqual(await again({}, {}, { muted: ['ben'] }), repeated);
  assert.deepEqual(await again({}, { message: 'Other' }), 'MESSAGE_ID_REUSED');
  const edited = { message: 'Edited', editedAt: AT };
  assert.deepEqual(await again({ ...edited, sentDigest: digestOf('Hello') }), ['m0', 3, 'Edited', true]);
  assert.deepEqual(await again({ ...edited, sentDigest: digestOf('Other') }), 'MESSAGE_ID_REUSED');
  assert.deepEqual(await again(edited), ['m0', 3, 'Edited', true]);
  assert.deepEqual(await again({ deletedAt: AT }), repeated, 'a deleted one reveals nothing');
  assert.deepEqual(await again({ roomId: 'secret' }), SENT, 'of another room');
  assert.deepEqual(await again({ clientId: null }, { clientId: null }), SENT, 'without an id');
  const banned = { members: [membershipOf('open', 'ben', { bannedAt: AT })] };
  assert.equal(await again({}, {}, banned), 'BANNED');
  const { done } = await sendAll([draftOf({ clientId: 'c1' })], { repeated: [message()] });
  assert.deepEqual(done, [['publish', 0]]);
});

test('two messages with one id in one batch are one message', async () => {
  const drafts = ['c1', 'c1', null, 'c2'].map((clientId) => draftOf({ clientId }));
  const { outcomes, asked } = await sendAll(drafts);
  assert.deepEqual(outcomes, [
    ['m1', 8, 'Hello', false],
    ['m1', 8, 'Hello', true],
    ['m2', 9, 'Hello', false],
    ['m3', 10, 'Hello', false],
  ]);
  assert.deepEqual(
    asked.filter(([what]) => what === 'repeated'),
    [['repeated', 'c1', 'c1', 'c2']],
  );
});

test('the live command declares every refusal that the operation declares', () => {
  const operation = messageOperations({} as never).find(({ id }) => id === 'sendChatMessage');
  const command = chatCommands({} as never).find(({ type }) => type === 'chat:send') as Command;
  const ofCommand = failuresOf(command).map((make) => make().code);
  for (const make of operation?.failures ?? []) assert.ok(ofCommand.includes(make().code), make().code);
});
