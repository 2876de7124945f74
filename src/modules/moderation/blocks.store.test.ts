import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { blockStore } from './blocks.store.ts';

const { database } = await ownDatabase(2);
const store = blockStore(database);
const newId = idMaker(systemClock);
const AT = Date.parse('2026-03-01T12:00:00Z');
const block = (blockerId: ObjectId, blockedId: ObjectId, second = 0) =>
  database.transaction((tx) => store.insert(tx, blockerId, blockedId, new Date(AT + 1_000 * second)));

test('a block is stored once, in one direction, and listed with the newest first', async () => {
  const [ada, ben, cat] = [newId(), newId(), newId()];
  assert.deepEqual(
    [await block(ada, ben, 1), await block(ada, ben, 2), await block(ada, cat, 3)],
    [true, false, true],
  );
  const pair = { blockerId: ada, blockedId: ben };
  assert.deepEqual(await store.among([pair, { blockerId: ben, blockedId: ada }]), [pair]);
  const { items, total } = await store.pageOf(ada, { page: 1, limit: 9 });
  assert.deepEqual([items.map(({ userId }) => userId), total], [[cat, ben], 2]);
  assert.equal(await database.transaction((tx) => store.count(tx, ada)), 2);
  assert.deepEqual([await store.delete(ben, ada), await store.delete(ada, ben)], [0, 1]);
  assert.deepEqual(await store.among([pair]), []);
});

test('who blocked a member first is named first, up to a limit, and both sides are parted', async () => {
  const [ada, ben, cat, dan] = [newId(), newId(), newId(), newId()];
  await block(cat, ada, 1);
  await block(ben, ada, 2);
  await block(ada, dan, 3);
  await block(ben, dan, 0);
  const blockersOf = (limit: number) => database.transaction((tx) => store.blockersOf(tx, ada, limit));
  assert.deepEqual([await blockersOf(9), await blockersOf(1)], [[cat, ben], [cat]]);
  assert.deepEqual((await store.partedFrom(ada)).toSorted(), [ben, cat, dan]);
});

test('with a member, the blocks by and of them are deleted, and no others', async () => {
  const [ada, ben, cat] = [newId(), newId(), newId()];
  for (const [by, whom] of [
    [ada, ben],
    [cat, ada],
    [cat, ben],
  ] as const)
    await block(by, whom);
  await database.transaction((tx) => store.erase(tx, ada));
  assert.deepEqual(await store.partedFrom(ada), []);
  assert.deepEqual(await store.partedFrom(cat), [ben]);
});
