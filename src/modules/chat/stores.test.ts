import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { DAY_MS, systemClock } from '../../kernel/time/time.ts';
import { membershipStore } from './memberships.store.ts';
import type { Message } from './messages.model.ts';
import { messageStore } from './messages.store.ts';
import type { RoomType } from './rooms.model.ts';
import { roomStore } from './rooms.store.ts';
import { standingStore } from './standings.store.ts';

// What the statements of the chat read and write, without a platform around them.

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 3, onBackgroundError: () => undefined });
after(async () => {
  await database.close();
  await drop();
});
const [rooms, members] = [roomStore(database), membershipStore(database)];
const [messages, standings] = [messageStore(database), standingStore(database)];
const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
const newId = idMaker(systemClock);
const AT = new Date();
const at = (ms: number): Date => new Date(AT.getTime() + ms);
const idsOf = (all: { id: ObjectId }[]) => all.map(({ id }) => id);

async function newRoom(createdBy: ObjectId, type: RoomType = 'public', name = 'Gold'): Promise<ObjectId> {
  const id = newId();
  await within(async (tx) => {
    await rooms.insert(tx, { id, name, description: 'About gold', type, createdBy }, AT);
    await members.join(tx, [{ roomId: id, userId: createdBy }], AT);
  });
  return id;
}
const join = (roomId: ObjectId, ...userIds: ObjectId[]) =>
  members.join(
    database,
    userIds.map((userId) => ({ roomId, userId })),
    AT,
  );
const leave = (roomId: ObjectId, userId: ObjectId) => within((tx) => members.leave(tx, roomId, userId));
const ban = (roomId: ObjectId, userId: ObjectId, since: Date | null = AT) =>
  within((tx) => members.ban(tx, roomId, userId, since));
const mute = (roomId: ObjectId, userId: ObjectId, until: Date | null) =>
  within((tx) => members.mute(tx, roomId, userId, until));
const remove = (roomId: ObjectId) => within((tx) => rooms.delete(tx, roomId, AT));
const countOf = async (roomId: ObjectId) => (await rooms.find(roomId))?.memberCount;
const membership = async (roomId: ObjectId, userId: ObjectId) =>
  (await members.find([{ roomId, userId }]))[0];
let said = 0;
/** Sends messages of a member, with the next event numbers of the room. */
async function say(roomId: ObjectId, userId: ObjectId, texts: string[], sentAt = AT): Promise<ObjectId[]> {
  const { lastSeq = 0 } = (await rooms.find(roomId)) ?? {};
  const all = texts.map((message, place) => ({
    id: newId(),
    roomId,
    userId,
    message,
    seq: lastSeq + 1 + place,
    clientId: `c${++said}`,
  }));
  await within(async (tx) => messages.insert(tx, all, sentAt));
  return idsOf(all);
}

test('members join once, also again, but not while they are banned; the room counts them', async () => {
  const [ada, ben, cat] = [newId(), newId(), newId()];
  const [room, other] = [await newRoom(ada), await newRoom(ada)];
  assert.deepEqual(await join(room, ben, ben, ada), [{ roomId: room }]);
  await ban(room, cat);
  assert.deepEqual(await join(room, cat, ben), []);
  assert.deepEqual([await countOf(room), await countOf(other)], [2, 1]);
  assert.deepEqual(
    [await leave(room, ben), await leave(room, ben), await leave(room, cat)],
    [true, false, false],
  );
  assert.equal(await countOf(room), 1);
  assert.equal((await membership(room, ben))?.isMember, false);
  assert.equal((await membership(room, ada))?.isMember, true);
  assert.deepEqual(await join(room, ben), [{ roomId: room }]);
  assert.equal(await countOf(room), 2);
  assert.deepEqual(await members.find([{ roomId: other, userId: ben }]), []);
  const both = await members.join(
    database,
    [room, other].map((roomId) => ({ roomId, userId: newId() })),
    AT,
  );
  assert.deepEqual([both.length, await countOf(room), await countOf(other)], [2, 3, 2]);
});

test('mutes and bans are kept apart from the membership, and lifted', async () => {
  const [ada, ben] = [newId(), newId()];
  const room = await newRoom(ada);
  const stranger = { roomId: room, userId: ben, isMember: false, lastSentAt: null };
  await mute(room, ben, at(5));
  assert.deepEqual(await membership(room, ben), { ...stranger, mutedUntil: at(5), bannedAt: null });
  await ban(room, ben);
  assert.deepEqual(await membership(room, ben), { ...stranger, mutedUntil: at(5), bannedAt: AT });
  await mute(room, ben, null);
  await ban(room, ben, null);
  assert.deepEqual(await membership(room, ben), { ...stranger, mutedUntil: null, bannedAt: null });
  assert.equal(await countOf(room), 1);
  const dan = newId();
  await ban(room, dan);
  assert.equal((await membership(room, dan))?.isMember, false);
});

test('a deleted member leaves some of their rooms at a time, and no other', async () => {
  const [ada, ben] = [newId(), newId()];
  const all = await Promise.all(Array.from({ length: 101 }, () => newRoom(ada)));
  await members.join(
    database,
    all.map((roomId) => ({ roomId, userId: ben })),
    AT,
  );
  await leave(all[0] as ObjectId, ben);
  assert.equal(await within((tx) => members.leaveSome(tx, ben)), 100);
  assert.equal(await within((tx) => members.leaveSome(tx, ben)), 0);
  assert.deepEqual(
    await Promise.all(all.map(countOf)),
    all.map(() => 1),
  );
  assert.equal((await membership(all[1] as ObjectId, ada))?.isMember, true);
  assert.equal(await membership(all[1] as ObjectId, ben), undefined);
});

test('members of a room are listed in the order of their ids, without those who left', async () => {
  const [ada, ben, cat, dan] = [newId(), newId(), newId(), newId()];
  const room = await newRoom(dan);
  await join(room, cat, ada, ben);
  await leave(room, ben);
  await mute(room, cat, at(9));
  const page = async (number: number) =>
    (await members.pageOf(room, { page: number, limit: 2 })).map(({ userId, mutedUntil }) => [
      userId,
      mutedUntil,
    ]);
  assert.deepEqual(await page(1), [
    [ada, null],
    [cat, at(9)],
  ]);
  assert.deepEqual(await page(2), [[dan, null]]);
});

test('a block finds the rooms of the blocker, and those that only the two are in', async () => {
  const [ada, eve, cat] = [newId(), newId(), newId()];
  const [own, foreign, deleted] = [await newRoom(ada), await newRoom(cat), await newRoom(ada)];
  const [pair, open, trio, alone] = [
    await newRoom(eve, 'private'),
    await newRoom(eve, 'public'),
    await newRoom(eve, 'group'),
    await newRoom(eve, 'private'),
  ];
  for (const room of [own, foreign, deleted]) await join(room, eve);
  for (const room of [pair, open, foreign]) await join(room, ada);
  await join(trio, ada, cat);
  await join(alone, cat);
  await remove(deleted);
  const left = await newRoom(ada);
  await join(left, eve);
  await leave(left, eve);
  const found = () => within((tx) => members.roomsOfTwo(tx, ada, eve));
  assert.deepEqual(await found(), { own: [own], shared: [pair] });
  await leave(pair, ada);
  await join(pair, cat);
  assert.deepEqual(await found(), { own: [own], shared: [] });
  await ban(left, eve);
  await ban(foreign, eve).catch(() => undefined);
  assert.deepEqual(await members.bannedFrom(database, ada, eve), [left]);
});

test('the standing of a member names rooms that they are in, banned from or muted in', async () => {
  const [ada, ben] = [newId(), newId()];
  const [first, second, third, fourth, gone] = [
    await newRoom(ada, 'public', 'First'),
    await newRoom(ada, 'public', 'Second'),
    await newRoom(ada),
    await newRoom(ada),
    await newRoom(ada),
  ];
  await join(first, ben);
  await join(third, ben);
  await leave(third, ben);
  await ban(second, ben, at(3));
  await ban(gone, ben);
  await ban(fourth, ada).catch(() => undefined);
  await remove(gone);
  assert.deepEqual(
    (await standings.standingOf(ben)).toSorted((one, other) => (one.roomId < other.roomId ? -1 : 1)),
    [
      { roomId: first, isMember: true },
      { roomId: second, isMember: false },
      { roomId: gone, isMember: false },
    ],
  );
  assert.deepEqual(
    (await standings.standingOf(ben)).map(({ roomId }) => roomId),
    [first, second, gone],
  );
  assert.deepEqual(await standings.bannedFrom(ben), [{ roomId: second, name: 'Second', since: at(3) }]);
  await mute(first, ben, at(9));
  await mute(fourth, ben, at(8));
  await mute(third, ben, at(1));
  await mute(gone, ben, at(9));
  assert.deepEqual(await standings.mutedIn(ben, at(5)), [
    { roomId: fourth, name: 'Gold', until: at(8) },
    { roomId: first, name: 'First', until: at(9) },
  ]);
  assert.deepEqual(await standings.mutedIn(ada, at(5)), []);
});

test('rooms are listed newest first, to those who may see them, by type', async () => {
  const [ada, ben] = [newId(), newId()];
  const before = (await rooms.pageOf({}, { page: 1, limit: 1 })).total;
  const open = await newRoom(ada);
  const [secret, group] = [await newRoom(ada, 'private'), await newRoom(ada, 'group')];
  const gone = await newRoom(ada);
  await join(group, ben);
  await join(secret, ben);
  await leave(secret, ben);
  await remove(gone);
  const list = async (filter: Parameters<typeof rooms.pageOf>[0]) =>
    idsOf((await rooms.pageOf(filter, { page: 1, limit: 3 })).items);
  assert.deepEqual(await list({}), [group, secret, open]);
  assert.deepEqual((await list({ visibleTo: ben })).slice(0, 2), [group, open]);
  assert.deepEqual((await list({ visibleTo: ada })).slice(0, 3), [group, secret, open]);
  assert.equal((await list({ visibleTo: newId() }))[0], open);
  assert.equal((await list({ type: 'private' }))[0], secret);
  assert.equal((await rooms.pageOf({}, { page: 1, limit: 1 })).total, before + 3);
});

test('a room is changed in the given fields alone, and gone once it is deleted', async () => {
  const [ada, educator] = [newId(), newId()];
  const room = await newRoom(ada);
  const [before, other] = [await rooms.find(room), await newRoom(ada)];
  assert.deepEqual(await rooms.update(room, {}, AT), before);
  const changes = { name: 'Silver', rules: ['Be kind'], slowModeSeconds: 5 };
  assert.deepEqual(await rooms.update(room, changes, AT), { ...before, ...changes });
  const more = { description: 'Of silver', type: 'group' as const };
  assert.deepEqual(await rooms.update(room, more, AT), { ...before, ...changes, ...more });
  assert.equal((await rooms.find(other))?.name, 'Gold');
  await within((tx) => rooms.claim(tx, room, educator));
  assert.equal(await rooms.ofEducator(educator), room);
  assert.deepEqual(await within((tx) => rooms.lock(tx, [other, room]).then(idsOf)), [room, other]);
  assert.deepEqual([await remove(room), await remove(room)], [true, false]);
  assert.deepEqual(
    [await rooms.find(room), await rooms.ofEducator(educator), await rooms.update(room, changes, AT)],
    [undefined, undefined, undefined],
  );
  assert.deepEqual(await within((tx) => rooms.lock(tx, [room, other]).then(idsOf)), [other]);
  assert.deepEqual(
    await within((tx) => tx.all('select id from chat.room where educator_id = $1', [educator])),
    [{ id: room }],
  );
});

test('messages advance their room, and are found by their place, id and client id', async () => {
  const [ada, ben] = [newId(), newId()];
  const [room, other] = [await newRoom(ada), await newRoom(ada)];
  const [first, second] = (await say(room, ben, ['one', 'two'], at(1))) as [ObjectId, ObjectId];
  const [third] = (await say(room, ada, ['three'], at(2))) as [ObjectId];
  await say(other, ada, ['elsewhere']);
  const { lastSeq, lastMessageAt } = (await rooms.find(room)) ?? {};
  assert.deepEqual([lastSeq, lastMessageAt, await messages.count(room)], [3, at(2), 3]);
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
    await messages.delete(tx, two, { by: ada, seq: 5, at: at(5) });
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
  await within((tx) => messages.delete(tx, third, { by: ada, seq: 5, at: AT }));
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
  await within((tx) => messages.delete(tx, two, { by: ada, seq: 9, at: AT }));
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
