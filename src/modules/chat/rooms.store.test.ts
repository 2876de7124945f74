import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, at, chatTables, idsOf } from '../../../test/support/chat-tables.ts';
import { keepsFromChange } from '../../../test/support/locked-rows.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { standingStore } from './standings.store.ts';

// What the statements about rooms and their members read and write.

const { database, rooms, members, within, newId, newRoom, join, leave, ban, mute, remove, membership } =
  await chatTables();
const standings = standingStore(database);
const countOf = async (roomId: ObjectId) => (await rooms.find(roomId))?.memberCount;

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
  const stranger = {
    roomId: room,
    userId: ben,
    isMember: false,
    lastSentAt: null,
    leftAt: null,
    isQuiet: false,
  };
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

test('what is left of a deleted member is forgotten: that they left, and their mutes and bans', async () => {
  const [ada, ben, cat] = [newId(), newId(), newId()];
  const all = [await newRoom(ada), await newRoom(ada), await newRoom(ada), await newRoom(ada)] as const;
  const [left, banned, muted, current] = all;
  await join(left, ben);
  await leave(left, ben);
  for (const who of [ben, cat]) await ban(banned, who);
  await mute(muted, ben, at(5));
  await join(current, ben);
  await members.forget(ben);
  const rows = await Promise.all(all.map((room) => membership(room, ben)));
  assert.deepEqual(
    rows.map((row) => row?.isMember),
    [undefined, undefined, undefined, true],
  );
  assert.deepEqual((await membership(banned, cat))?.bannedAt, AT);
});

test('members of a room are listed by descending id, without those who left', async () => {
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
    [dan, null],
    [cat, at(9)],
  ]);
  assert.deepEqual(await page(2), [[ada, null]]);
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
});

test('a member leaves all of many rooms at once, and is banned from them, and from no other', async () => {
  const [ada, ben, eve] = [newId(), newId(), newId()];
  const [first, second, third, other] = [
    await newRoom(ada),
    await newRoom(ada),
    await newRoom(ada),
    await newRoom(ada),
  ];
  for (const room of [first, second, other]) await join(room, eve, ben);
  const all = [third, second, first];
  assert.equal((await within((tx) => members.leaveAll(tx, all, eve))).length, 2);
  assert.deepEqual(await Promise.all([first, second, third, other].map(countOf)), [2, 2, 1, 3]);
  await within((tx) => members.banFromAll(tx, all, eve, AT));
  for (const room of all)
    assert.deepEqual(
      [(await membership(room, eve))?.isMember, (await membership(room, eve))?.bannedAt],
      [false, AT],
    );
  assert.equal((await membership(other, eve))?.isMember, true);
  assert.equal((await membership(first, ben))?.isMember, true);
  await within((tx) => members.banFromAll(tx, [first], eve, null));
  assert.deepEqual(
    [(await membership(first, eve))?.bannedAt, (await membership(second, eve))?.bannedAt],
    [null, AT],
  );
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

test('a room that is locked, also with all of its creator, is not changed by others meanwhile', async () => {
  const [ada, ben] = [newId(), newId()];
  const [own, deleted, joined] = [await newRoom(ada), await newRoom(ada), await newRoom(ben)];
  await remove(deleted);
  await join(joined, ada);
  const keeps = (id: ObjectId, work: Parameters<typeof keepsFromChange>[1]) =>
    keepsFromChange(database, work, 'chat.room where id = $1', [id]);
  assert.equal(await keeps(own, (tx) => rooms.lock(tx, [own, joined])), true);
  assert.equal(await keeps(own, (tx) => rooms.lock(tx, [joined])), false);
  for (const [id, isOwn] of [
    [own, true],
    [deleted, false],
    [joined, false],
  ] as const)
    assert.equal(await keeps(id, (tx) => rooms.lockOwn(tx, [ada])), isOwn);
});
