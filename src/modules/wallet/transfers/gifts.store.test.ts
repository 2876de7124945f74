import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { systemClock } from '../../../kernel/time/time.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { giftStore } from './gifts.store.ts';

// Which transfers are gifts, and how they are summed and ranked, without a platform around them.

const { database } = await ownDatabase();
const store = giftStore(database);
const newId = idMaker(systemClock);
const AT = new Date('2026-03-01T12:00:00Z');
const at = (ms: number) => new Date(AT.getTime() + ms);
const [ada, ben, cat, dan] = [newId(), newId(), newId(), newId()].toSorted() as [
  string,
  string,
  string,
  string,
];

interface Given {
  amount?: number;
  type?: string;
  metadata?: object;
  inMs?: number;
}
/** Writes a transaction, by default a gift. */
async function give(from: string | null, to: string, given: Given = {}): Promise<string> {
  const { amount = 1, type = 'transfer', metadata = { gift: true, surface: 'meeting' }, inMs = 0 } = given;
  const id = newId();
  await database.execute(
    `insert into wallet.transaction (id, type, status, from_user_id, to_user_id, amount, description, metadata, created_at)
     values ($1, $2, 'completed', $3, $4, $5, 'Thanks', $6, $7)`,
    [id, type, from, to, amount, JSON.stringify(metadata), at(inMs)],
  );
  return id;
}
const first = await give(ada, ben, { amount: 5 });
const second = await give(ada, cat, { amount: 7, inMs: 1 });
await give(ben, cat, { amount: 20, inMs: 2, metadata: { gift: true, surface: 'educator' } });
await give(dan, cat, { amount: 12, inMs: 3 });
// What is not a gift of that time.
await give(ada, ben, { amount: 100, metadata: {} });
await give(ada, ben, { amount: 200, metadata: { gift: false, surface: 'meeting' } });
await give(null, ben, { amount: 300, type: 'fund' });
await give(ada, ben, { amount: 400, inMs: 1_000 });
await give(ada, ben, { amount: 800, inMs: -1 });
const PERIOD = { from: AT, to: at(1_000) };

test('the gifts of a period are summed, from its beginning to just before its end', async () => {
  assert.deepEqual(await store.sums(PERIOD), { giftedKeys: 44, gifts: 4, gifters: 3, giftRecipients: 2 });
  const none = { giftedKeys: 0, gifts: 0, gifters: 0, giftRecipients: 0 };
  assert.deepEqual(await store.sums({ from: at(5_000), to: at(6_000) }), none);
});

test('members are ranked by Keys, then by gifts, then by id', async () => {
  const senders = await store.topSenders(PERIOD, { limit: 9 });
  assert.deepEqual(
    senders.map(({ userId, ...rest }) => [userId, rest]),
    [
      [ben, { keys: 20, gifts: 1, counterparties: 1, lastGiftAt: at(2) }],
      [ada, { keys: 12, gifts: 2, counterparties: 2, lastGiftAt: at(1) }],
      [dan, { keys: 12, gifts: 1, counterparties: 1, lastGiftAt: at(3) }],
    ],
  );
  const recipients = await store.topRecipients(PERIOD, { limit: 9 });
  assert.deepEqual(
    recipients.map(({ userId, keys, counterparties }) => [userId, keys, counterparties]),
    [
      [cat, 39, 3],
      [ben, 5, 1],
    ],
  );
  const ids = async (limit: number, except: string[]) =>
    (await store.topSenders(PERIOD, { limit, except })).map(({ userId }) => userId);
  assert.deepEqual(await ids(2, []), [ben, ada]);
  assert.deepEqual(await ids(9, [ben, dan]), [ada]);
  await give(cat, ben, { amount: 20, inMs: 500 });
  assert.deepEqual(await ids(2, []), [ben, cat], 'of the same Keys and gifts');
});

test('the gifts of a member on one side and surface are listed newest first, and counted', async () => {
  const page = async (userId: string, side: 'sent' | 'received', surface: 'meeting' | 'educator') => {
    const filter = { userId, side, surface };
    const { items, total } = await store.pageOf(filter, { page: 1, limit: 9 });
    return [items.map(({ amount }) => amount), total, await store.keysOf(filter)];
  };
  assert.deepEqual(await page(ada, 'sent', 'meeting'), [[800, 400, 7, 5], 4, 1_212]);
  assert.deepEqual(await page(ada, 'received', 'meeting'), [[], 0, 0]);
  assert.deepEqual(await page(cat, 'received', 'meeting'), [[12, 7], 2, 19]);
  assert.deepEqual(await page(cat, 'received', 'educator'), [[20], 1, 20]);
  const { items } = await store.pageOf(
    { userId: ada, side: 'sent', surface: 'meeting' },
    { page: 2, limit: 2 },
  );
  assert.deepEqual(
    items.map(({ transactionId, toUserId, message, surface }) => [transactionId, toUserId, message, surface]),
    [
      [transactionIdOf(second), cat, 'Thanks', 'meeting'],
      [transactionIdOf(first), ben, 'Thanks', 'meeting'],
    ],
  );
});
