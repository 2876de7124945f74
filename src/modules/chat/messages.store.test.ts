import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, at, chatTables, idsOf } from '../../../test/support/chat-tables.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { Message } from './messages.model.ts';

// What the statements about messages read and write.

const { database, rooms, messages, within, newId, newRoom, join, remove, membership, say } =
  await chatTables();

test('messages advance their room, and are found by their place, id and client id', async () => {
  const [ada, ben] = [newId(), newId()];
  const [room, other] = [await newRoom(ada), await newRoom(ada)];
  const [first, second] = (await say(room, ben, ['one', 'two'], at(1))) as [ObjectId, ObjectId];
  const [third] = (await say(room, ada, ['three'], at(2))) as [ObjectId];
  await say(other, ada, ['elsewhere']);
  const lastSeq = (await rooms.find(room))?.lastSeq;
  assert.deepEqual([lastSeq, await messages.count(room)], [3, 3]);
  const empty = await newRoom(ada);
  const last = await messages.lastOf([room, empty]);
  assert.deepEqual(last, [{ id: third, roomId: room, userId: ada, message: 'three', createdAt: at(2) }]);
  const page = async (number: number) => {
    const { items, total } = await messages.pageOf(room, { page: number, limit: 2 });
    return [...idsOf(items), total];
  };
  assert.deepEqual(
    [await page(1), await page(2)],
    [
      [third, second, 3],
      [first, 3],
    ],
  );
  assert.equal((await messages.find(room, first))?.message, 'one');
  assert.equal(await messages.find(other, first), undefined);
  assert.deepEqual([await messages.seqOf(room, second), await messages.seqOf(other, second)], [2, undefined]);
  const next = async (place: { before?: number; after?: number }, limit = 2) =>
    idsOf(await messages.nextTo(room, place, limit));
  assert.deepEqual(await next({ before: 3 }), [second, first]);
  assert.deepEqual(await next({ before: 3 }, 1), [second]);
  assert.deepEqual(await next({ after: 1 }), [third, second]);
  assert.deepEqual(await next({ after: 0 }, 1), [first]);
  const one = (await messages.findAnywhere(first)) as Message;
  assert.deepEqual(await messages.byClientId(database, [one]), [one]);
  assert.deepEqual(await messages.byClientId(database, [{ ...one, userId: ada }]), []);
  assert.deepEqual(idsOf(await messages.findAll([third])), [third]);
});

test('edits and deletions count as changes; a deleted message is found only where it matters', async () => {
  const [ada, ben] = [newId(), newId()];
  const room = await newRoom(ada);
  const ids = (await say(room, ben, ['one', 'two', 'three'])) as [ObjectId, ObjectId, ObjectId];
  const [one, two] = (await messages.findAll(ids.slice(0, 2))).toSorted((a, b) => a.seq - b.seq) as [
    Message,
    Message,
  ];
  await within(async (tx) => {
    await messages.edit(tx, one, { text: 'ONE', seq: 4, at: at(4) });
    await messages.delete(tx, two, { by: ada, isDecided: false, seq: 5, at: at(5) });
  });
  const edited = (await messages.find(room, one.id)) as Message;
  assert.deepEqual([edited.message, edited.changedSeq, edited.seq, edited.editedAt], ['ONE', 4, 1, at(4)]);
  await within((tx) => messages.edit(tx, edited, { text: 'one more', seq: 6, at: at(6) }));
  const again = (await messages.find(room, one.id)) as Message;
  assert.deepEqual(again.sentDigest, edited.sentDigest, 'of the text that was sent');
  assert.deepEqual([await messages.count(room), (await rooms.find(room))?.lastSeq], [2, 6]);
  assert.equal(await messages.find(room, two.id), undefined);
  assert.equal(await messages.findAnywhere(two.id), undefined);
  assert.deepEqual(idsOf((await messages.pageOf(room, { page: 1, limit: 9 })).items), [ids[2], ids[0]]);
  assert.deepEqual(idsOf(await messages.nextTo(room, { after: 1 }, 9)), [ids[2]]);
  assert.equal(await messages.seqOf(room, two.id), 2);
  const [gone] = await messages.findAll([two.id]);
  assert.deepEqual([gone?.deletedAt, gone?.changedSeq], [at(5), 5]);
  const kept = await messages.findAll([ids[2]]);
  assert.deepEqual([kept[0]?.message, kept[0]?.editedAt, kept[0]?.deletedAt], ['three', null, null]);
});

test('changes after an event are read newest first up to a limit, with texts up to a size, at least one', async () => {
  const ada = newId();
  const room = await newRoom(ada);
  await say(await newRoom(ada), ada, ['elsewhere']);
  const ids = await say(room, ada, ['aaaa', 'bbbb', 'cccc', 'dddd']);
  const third = (await messages.findAll([ids[2] as ObjectId]))[0] as Message;
  await within((tx) => messages.delete(tx, third, { by: ada, isDecided: false, seq: 5, at: AT }));
  const read = async (seq: number, limit: number, bytes: number) =>
    (await messages.changesAfter(room, seq, limit, bytes)).map(({ changedSeq, message, bytes }) => [
      changedSeq,
      message,
      bytes,
    ]);
  assert.deepEqual(await read(1, 9, 8), [
    [2, 'bbbb', 4],
    [4, 'dddd', 4],
    [5, 'cccc', 0],
  ]);
  assert.deepEqual(await read(0, 2, 9), [
    [4, 'dddd', 4],
    [5, 'cccc', 0],
  ]);
  assert.deepEqual(await read(0, 9, 7), [
    [1, 'aaaa', 4],
    [2, null, 4],
    [4, null, 4],
    [5, null, 0],
  ]);
  assert.deepEqual((await read(0, 1, 0)).length, 1);
  assert.deepEqual((await read(0, 9, 1))[0], [1, 'aaaa', 4], 'the first is always read');
  assert.deepEqual(await read(5, 9, 9), []);
});

test("some of a member's messages since a time are found in order, in rooms that exist", async () => {
  const [ada, ben] = [newId(), newId()];
  const [room, gone] = [await newRoom(ada), await newRoom(ada)];
  const [first, second, third] = await say(room, ben, ['one', 'two', 'three']);
  await say(gone, ben, ['gone']);
  await say(room, ada, ['of another']);
  await remove(gone);
  const some = async (since: Date, limit: number) =>
    idsOf(await within((tx) => messages.someOf(tx, ben, since, limit)));
  assert.deepEqual(await some(at(-DAY_MS), 2), [first, second]);
  assert.deepEqual(await some(at(-DAY_MS), 9), [first, second, third]);
  assert.deepEqual(await some(at(DAY_MS), 9), []);
  await database.execute('update chat.message set created_at = $2 where id = $1', [first, at(-8 * DAY_MS)]);
  assert.deepEqual(await some(at(-DAY_MS), 9), [second, third]);
  const two = (await messages.findAll([second as ObjectId]))[0] as Message;
  await within((tx) => messages.delete(tx, two, { by: ada, isDecided: false, seq: 9, at: AT }));
  assert.deepEqual(await some(at(-DAY_MS), 9), [third]);
});

test('the time of the last message is noted for those who sent one', async () => {
  const [ada, ben] = [newId(), newId()];
  const room = await newRoom(ada);
  await join(room, ben);
  await within(async (tx) => messages.touch(tx, [{ roomId: room, userId: ben }], at(7)));
  assert.deepEqual((await membership(room, ben))?.lastSentAt, at(7));
  assert.equal((await membership(room, ada))?.lastSentAt, null);
});
