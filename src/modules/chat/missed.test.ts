import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Identity } from '../identity/contract.ts';
import type { Portion } from './contract.ts';
import type { Change, Message } from './messages.model.ts';
import { missedEvents } from './missed.ts';

const ROOM = 'a'.repeat(24);
const AT = new Date('2026-03-01T12:00:00Z');
const idOf = (seq: number): string => seq.toString().padStart(24, '0');
const messageOf = (seq: number, fields: Partial<Message> = {}): Message => ({
  id: idOf(seq),
  roomId: ROOM,
  userId: 'b'.repeat(24),
  message: `Message ${seq}`,
  seq,
  changedSeq: seq,
  clientId: null,
  createdAt: AT,
  editedAt: null,
  deletedAt: null,
  sentDigest: null,
  ...fields,
});
/** A change whose text is read now, or later. */
const changeOf = (seq: number, bytes: number, isLater = false): Change => ({
  ...messageOf(seq),
  ...(isLater && { message: null }),
  bytes,
});

/** Reads what was missed of a room with these changes. */
function reading(changes: Change[], current = (seq: number): Message | undefined => messageOf(seq)) {
  const asked: unknown[][] = [];
  const read = missedEvents({
    store: {
      changesAfter: async (...all) => {
        asked.push(all);
        return changes;
      },
      findAll: async (ids) => ids.flatMap((id) => current(Number(id)) ?? []),
    },
    identity: { profilesOf: async () => [] } as Pick<Identity, 'profilesOf'>,
  });
  return { asked, read };
}
const seqsOf = ({ messages }: Portion) => messages.map(({ seq }) => seq);
const KB_64 = 64 * 1024;

test('missed events come in their order, with their number and the last of them', async () => {
  const { read, asked } = reading([changeOf(8, 5), changeOf(9, 5)]);
  const missed = await read(ROOM, 7);
  assert.deepEqual(
    [seqsOf(missed), missed.count, missed.seq, missed.gap, missed.next],
    [[8, 9], 2, 9, undefined, undefined],
  );
  assert.deepEqual(asked, [[ROOM, 7, 301, 2 * KB_64]]);
  const none = await reading([]).read(ROOM, 7);
  assert.deepEqual([none.count, none.seq, none.messages, none.next], [0, 7, [], undefined]);
});

test('of more than three hundred events the newest are sent, after word of the gap', async () => {
  const all = Array.from({ length: 301 }, (_, place) => changeOf(place + 1, 1));
  const missed = await reading(all).read(ROOM, 0);
  assert.deepEqual([missed.count, seqsOf(missed)[0], missed.seq], [300, 2, 301]);
  assert.deepEqual(missed.gap?.data, { chatroomId: ROOM, after: 0 });
  const few = await reading(all.slice(1)).read(ROOM, 0);
  assert.deepEqual([few.count, few.gap], [300, undefined]);
});

test('texts that are read later follow in portions of a size, each with at least one', async () => {
  const later = [
    changeOf(2, KB_64, true),
    changeOf(3, KB_64, true),
    changeOf(4, 1, true),
    changeOf(5, 3 * KB_64, true),
  ];
  const { read } = reading([changeOf(1, 1), ...later, changeOf(6, 1, true)]);
  const first = await read(ROOM, 0);
  assert.deepEqual([seqsOf(first), first.count, first.seq], [[1], 6, 6]);
  const portions: unknown[] = [];
  for (let next = first.next; next; ) {
    const portion = await next();
    portions.push(seqsOf(portion));
    next = portion.next;
  }
  assert.deepEqual(portions, [[2, 3], [4], [5], [6]]);
});

test('a text that is read later is the present one under the number of its event, or left out if it is gone', async () => {
  const { read } = reading([changeOf(2, 1, true), changeOf(3, 1, true)], (seq) =>
    seq === 2 ? messageOf(2, { message: 'Edited', editedAt: AT, changedSeq: 9 }) : undefined,
  );
  const first = await read(ROOM, 1);
  assert.deepEqual(seqsOf(first), []);
  const portion = (await first.next?.()) as Portion;
  assert.deepEqual(
    portion.messages.map(({ kind, seq, data }) => [kind.type, seq, (data as { message: string }).message]),
    [['chat:message', 2, 'Edited']],
  );
  assert.equal(portion.next, undefined);
});

test('members who have seen a message learn that it was edited or deleted', async () => {
  const deleted = { ...changeOf(3, 0), changedSeq: 8, deletedAt: AT };
  const edited = { ...changeOf(4, 1), changedSeq: 9, editedAt: AT };
  const typesAfter = async (after: number) =>
    (await reading([deleted, edited]).read(ROOM, after)).messages.map(({ kind, seq }) => [kind.type, seq]);
  assert.deepEqual(await typesAfter(4), [
    ['chat:deleted', 8],
    ['chat:updated', 9],
  ]);
  assert.deepEqual(await typesAfter(3), [
    ['chat:deleted', 8],
    ['chat:message', 9],
  ]);
});

test('clients that reconnect together after one event share one reading', async () => {
  const { read, asked } = reading([changeOf(8, 5)]);
  await Promise.all([read(ROOM, 7), read(ROOM, 7), read(ROOM, 6)]);
  assert.equal(asked.length, 2);
});
