import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import type { WithdrawalFilter } from './withdrawals.model.ts';
import { withdrawalStore } from './withdrawals.store.ts';

// Which withdrawals are found, listed and summed, without a platform around them.

const { database } = await ownDatabase();
const store = withdrawalStore(database);
const START = new Date('2026-03-01T12:00:00Z');
let nowMs = START.getTime();
const newId = idMaker({ now: () => nowMs, date: () => new Date(nowMs), elapsedMs: () => nowMs });
const [ADA, BEN] = [newId(), newId()];

interface Made {
  type?: string;
  status?: string;
  metadata?: object;
}
/** Writes a transaction a minute after the previous one, by default a pending withdrawal. */
async function make(userId: string, amount: number, made: Made = {}): Promise<string> {
  const { type = 'withdrawal', status = 'pending', metadata = { usdAmount: amount / 4 } } = made;
  nowMs += MINUTE_MS;
  const id = newId();
  await database.execute(
    `insert into wallet.transaction (id, type, status, to_user_id, amount, metadata, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, type, status, userId, amount, JSON.stringify(metadata), new Date(nowMs)],
  );
  return id;
}
const first = await make(ADA, 100);
const second = await make(ADA, 20, { status: 'completed' });
const third = await make(BEN, 3);
const refund = await make(ADA, 1_000, { type: 'refund', status: 'completed' });
const fourth = await make(ADA, 5, { metadata: { usdAmount: 'many' } });
const minutes = (count: number) => new Date(START.getTime() + count * MINUTE_MS);

test('withdrawals are filtered by status, member and age, newest first', async () => {
  const ids = async (filter: WithdrawalFilter) =>
    (await store.pageOf(filter, { page: 1, limit: 9 })).items.map(({ id }) => id);
  assert.deepEqual(await ids({}), [fourth, third, second, first]);
  assert.deepEqual(await ids({ status: 'pending' }), [fourth, third, first]);
  assert.deepEqual(await ids({ userId: ADA }), [fourth, second, first]);
  assert.deepEqual(await ids({ userId: ADA, status: 'completed' }), [second]);
  assert.deepEqual(await ids({ olderThan: minutes(3) }), [second, first], 'before that instant');
  assert.deepEqual(await ids({ olderThan: new Date(minutes(3).getTime() + 1) }), [third, second, first]);
  assert.deepEqual(await ids({ olderThan: minutes(1) }), []);
});

test('the sums of withdrawals are those of all that match, in Keys and in dollars where they are a number', async () => {
  const sums = async (filter: WithdrawalFilter) => {
    const { count, keys, usd, oldestAt } = await store.summaryOf(filter);
    return [count, keys, usd, oldestAt];
  };
  assert.deepEqual(await sums({}), [4, 128, 30.75, minutes(1)]);
  assert.deepEqual(await sums({ userId: BEN }), [1, 3, 0.75, minutes(3)]);
  assert.deepEqual(await sums({ status: 'failed' }), [0, 0, 0, null]);
});

test('only withdrawals are found and locked, and the pending ones wait', async () => {
  const { userId, status, amount } = (await store.find(second)) ?? assert.fail();
  assert.deepEqual([userId, status, amount], [ADA, 'completed', 20]);
  assert.equal(await store.find(refund), undefined);
  const lock = (id: string) => database.transaction((tx) => store.lock(tx, id));
  assert.equal((await lock(first))?.digest.length, 64);
  assert.equal(await lock(refund), undefined);
  const { count, oldestAt } = await store.backlog();
  assert.deepEqual([count, oldestAt], [3, minutes(1)]);
});

test('a withdrawal that is being ended is not ended by others meanwhile', async () => {
  const keeps = (id: string) =>
    keepsFromChange(database, (tx) => store.lock(tx, first), 'wallet.transaction where id = $1', [id]);
  assert.deepEqual([await keeps(first), await keeps(second)], [true, false]);
});
