import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareLedger } from '../../../../test/support/bare-ledger.ts';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { transactionStore } from '../history/transactions.store.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import type { AllTransactionsFilter } from './all-transactions.model.ts';
import { allTransactionsStore } from './all-transactions.store.ts';

// Which transactions a filter matches, of everybody and of one member, on a real ledger without a platform around it.

const { database } = await ownDatabase();
const { clock, newId, postIn, ensureAccount } = bareLedger(database);
const START = clock.now();
const history = transactionStore(database);
const store = allTransactionsStore(database, history);
const minute = (count: number) => new Date(START + count * 60_000);

async function newMember(): Promise<ObjectId> {
  const userId = newId();
  await database.transaction(async (tx) => {
    await ensureAccount(tx, 'wallet', userId);
    await ensureAccount(tx, 'hold', userId);
  });
  return userId;
}
/** Posts a movement a minute after the previous one, and returns its id. */
async function post(
  draft: Pick<TransactionDraft, 'type' | 'from' | 'to' | 'amount'> & Partial<TransactionDraft>,
): Promise<ObjectId> {
  clock.advance(60_000);
  const idOf = (name: string) => (name.startsWith('wallet:') ? name.slice('wallet:'.length) : null);
  const users = { fromUserId: idOf(draft.from), toUserId: idOf(draft.to) };
  const whole = {
    status: 'completed',
    description: '',
    metadata: {},
    ...users,
    ...draft,
  } as TransactionDraft;
  return (await database.transaction((tx) => postIn(tx, whole))).id;
}
const [ada, ben, none] = [await newMember(), await newMember(), newId()];
const bought = await post({
  type: 'fund',
  from: 'issued',
  to: `wallet:${ada}`,
  amount: 5_000,
  metadata: { checkoutSessionId: 'cs_1', usdAmount: 4_500 },
});
const small = await post({ type: 'transfer', from: `wallet:${ada}`, to: `wallet:${ben}`, amount: 999 });
const large = await post({ type: 'transfer', from: `wallet:${ada}`, to: `wallet:${ben}`, amount: 1_000 });
const held = await post({
  type: 'withdrawal',
  status: 'pending',
  from: `wallet:${ben}`,
  to: `hold:${ben}`,
  fromUserId: null,
  toUserId: ben,
  amount: 300,
  metadata: { usdAmount: 250 },
});
const lying = await post({
  type: 'transfer',
  from: `wallet:${ben}`,
  to: `wallet:${ada}`,
  amount: 7,
  metadata: { checkoutSessionId: 'cs_1', usdAmount: 1_000_000 },
});
const granted = await post({
  type: 'fund',
  from: 'issued',
  to: `wallet:${ben}`,
  amount: 50,
  metadata: { manualFunding: true, usdAmount: 1_000_000 },
});
const ALL = [granted, lying, held, large, small, bought];

const ids = async (filter: AllTransactionsFilter) =>
  (await store.pageOf(filter, { page: 1, limit: 9 }))?.items.map(({ id }) => id);

test('transactions of everybody are filtered by type, status, amount, checkout and time', async () => {
  for (const [filter, expected] of [
    [{}, ALL],
    [{ type: 'transfer' }, [lying, large, small]],
    [{ type: 'fund' }, [granted, bought]],
    [{ type: 'withdrawal' }, [held]],
    [{ status: 'pending' }, [held]],
    [{ status: 'completed' }, ALL.filter((id) => id !== held)],
    [{ status: 'failed' }, []],
    [{ minAmount: 999 }, [large, small, bought]],
    [{ minAmount: 1_000 }, [large, bought]],
    [{ minAmount: 1_001 }, [bought]],
    [{ minAmount: 5_001 }, []],
    [{ checkoutSessionId: 'cs_1' }, [bought]],
    [{ checkoutSessionId: 'cs_2' }, []],
    [{ from: minute(3) }, [granted, lying, held, large]],
    [{ to: minute(3) }, [large, small, bought]],
    [{ from: minute(2), to: minute(3) }, [large, small]],
    [{ from: new Date(minute(2).getTime() + 1), to: new Date(minute(3).getTime() - 1) }, []],
  ] as [AllTransactionsFilter, ObjectId[]][])
    assert.deepEqual(await ids(filter), expected, JSON.stringify(filter));
});

test('transactions of one member are those in which their Keys moved, in the order of their wallet', async () => {
  for (const [filter, expected] of [
    [{ userId: ada }, [lying, large, small, bought]],
    [{ userId: ben }, [granted, lying, held, large, small]],
    [{ userId: ben, type: 'transfer' }, [lying, large, small]],
    [{ userId: ben, type: 'fund' }, [granted]],
    [{ userId: ben, type: 'withdrawal' }, [held]],
    [{ userId: ben, status: 'pending' }, [held]],
    [{ userId: ada, status: 'pending' }, []],
    [{ userId: ada, minAmount: 999 }, [large, small, bought]],
    [{ userId: ada, minAmount: 1_000 }, [large, bought]],
    [{ userId: ada, checkoutSessionId: 'cs_1' }, [bought]],
    [{ userId: ada, from: minute(2), to: minute(3) }, [large, small]],
    [{ userId: none }, []],
  ] as [AllTransactionsFilter, ObjectId[]][])
    assert.deepEqual(await ids(filter), expected, JSON.stringify(filter));
});

test('pages and cursors continue the list, with the total of all', async () => {
  const page = async (filter: AllTransactionsFilter, request: { page?: number; before?: ObjectId }) => {
    const found = await store.pageOf(filter, { page: 1, limit: 2, ...request });
    return found && [found.items.map(({ id }) => id), found.total];
  };
  assert.deepEqual(await page({}, {}), [[granted, lying], 6]);
  assert.deepEqual(await page({}, { page: 2 }), [[held, large], 6]);
  assert.deepEqual(await page({}, { before: lying }), [[held, large], 6]);
  assert.deepEqual(await page({ type: 'transfer' }, { before: large }), [[small], 3]);
  assert.deepEqual(await page({ userId: ben }, { before: held }), [[large, small], 5]);
  assert.equal(await page({ userId: ada }, { before: held }), undefined);
  assert.deepEqual(await page({ userId: none }, {}), [[], 0]);
});

test('a transaction has the changes of both wallets, and only its own', async () => {
  const changes = async (id: ObjectId) => {
    const { fromChange, toChange } = (await store.find(id)) ?? assert.fail();
    return [fromChange, toChange];
  };
  assert.deepEqual(await changes(large), [
    { change: -1_000, balanceBefore: 4_001, balanceAfter: 3_001 },
    { change: 1_000, balanceBefore: 999, balanceAfter: 1_999 },
  ]);
  assert.deepEqual(await changes(bought), [null, { change: 5_000, balanceBefore: 0, balanceAfter: 5_000 }]);
  assert.deepEqual(await changes(held), [null, { change: -300, balanceBefore: 1_999, balanceAfter: 1_699 }]);
  assert.equal(await store.find(newId()), undefined);
});

test('sums count dollars of purchases and withdrawals alone, whose metadata the platform writes', async () => {
  const sums = async (filter: AllTransactionsFilter) => {
    const { count, keys, usd, oldestAt } = await store.summaryOf(filter);
    return [count, keys, usd, oldestAt];
  };
  assert.deepEqual(await sums({}), [6, 5_000 + 999 + 1_000 + 300 + 7 + 50, 4_750, minute(1)]);
  assert.deepEqual(await sums({ userId: ben, type: 'transfer' }), [3, 2_006, 0, minute(2)]);
  assert.deepEqual(await sums({ from: new Date(START + DAY_MS) }), [0, 0, 0, null]);
  assert.deepEqual(await sums({ userId: none }), [0, 0, 0, null]);
});

test('transactions of the same instant are distinguished', async () => {
  clock.advance(-60_000);
  const first = await post({ type: 'transfer', from: `wallet:${ada}`, to: `wallet:${ben}`, amount: 1 });
  clock.advance(-60_000);
  const second = await post({ type: 'transfer', from: `wallet:${ada}`, to: `wallet:${ben}`, amount: 2 });
  for (const [id, change] of [
    [first, 1],
    [second, 2],
  ] as const) {
    const { fromChange, toChange } = (await store.find(id)) ?? assert.fail();
    assert.deepEqual([fromChange?.change, toChange?.change], [-change, change]);
    assert.equal((await history.find(ada, id))?.change, -change);
  }
  const [one, other] = [await history.placeOf(ada, first), await history.placeOf(ada, second)];
  assert.equal(other, (one as number) + 1);
});
