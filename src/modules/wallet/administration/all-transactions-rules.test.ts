import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { RecordedTransaction } from './all-transactions.model.ts';
import { allTransactionsRules } from './all-transactions.ts';

// Which sides, checkouts and payouts transactions are shown with, without a platform around the rules.

const [ID, OTHER] = ['c'.repeat(24), 'd'.repeat(24)];
const LOST = { change: -5, balanceBefore: 10, balanceAfter: 5 };
const GOT = { change: 5, balanceBefore: 0, balanceAfter: 5 };
const recorded = (fields: Partial<RecordedTransaction> = {}) =>
  ({
    id: ID,
    type: 'transfer',
    fromUserId: 'ada',
    toUserId: 'ben',
    metadata: {},
    fromChange: LOST,
    toChange: GOT,
    ...fields,
  }) as RecordedTransaction;

function ruling(transactions: RecordedTransaction[], isUnknown = false) {
  const asked: unknown[][] = [];
  const rules = allTransactionsRules({
    store: {
      find: async (id: string) => transactions.find((one) => one.id === id),
      pageOf: async (_filter: object, { before, ...request }: { before?: string }) => {
        asked.push(['page', before]);
        return isUnknown ? undefined : { ...request, items: transactions, total: 1 };
      },
      summaryOf: async () => 'sums',
    } as never,
    merchant: {
      payments: {
        checkoutsOf: async (sessions: string[]) => {
          asked.push(['checkouts', ...sessions]);
          return sessions.map((sessionId) => ({ sessionId, status: 'paid' }));
        },
        payoutsOf: async (references: string[]) => {
          asked.push(['payouts', ...references]);
          return references.map((reference) => ({ reference, status: 'paid' }));
        },
      } as never,
    },
    owners: {
      withoutFormerStaff: async <Row>(rows: Row[]) => rows,
      lookup: async (ids: string[]) => {
        asked.push(['owners', ...ids]);
        return (id: string) => `owner ${id}` as never;
      },
    } as never,
  });
  const codeOf = (work: Promise<unknown>) => work.then(String, ({ status }: Failure) => status);
  return { rules, asked, codeOf };
}
/** Shows one transaction. */
async function shown(fields: Partial<RecordedTransaction> = {}) {
  const { rules, asked } = ruling([recorded(fields)]);
  const { from, to, checkout, payout } = await rules.find(transactionIdOf(ID));
  return { sides: [from, to], checkout, payout, asked };
}
const side = (userId: string, { balanceBefore, balanceAfter }: typeof LOST) => ({
  userId,
  owner: `owner ${userId}`,
  balanceBefore,
  balanceAfter,
});

test('who lost Keys is shown as the sender and who got them as the recipient, whatever the columns say', async () => {
  const [ada, ben] = [side('ada', LOST), side('ben', GOT)];
  assert.deepEqual((await shown()).sides, [ada, ben]);
  assert.deepEqual((await shown({ fromUserId: null, fromChange: null as never })).sides, [null, ben]);
  assert.deepEqual((await shown({ toUserId: null, toChange: null as never })).sides, [ada, null]);
  assert.deepEqual((await shown({ toChange: null as never })).sides, [ada, null], 'an entry of nobody');
  assert.deepEqual((await shown({ fromUserId: null })).sides, [null, ben]);
  assert.deepEqual((await shown({ toUserId: null })).sides, [ada, null]);
  const withdrawal = { type: 'withdrawal', fromUserId: null, toChange: LOST } as const;
  assert.deepEqual((await shown(withdrawal)).sides, [side('ben', LOST), null]);
});

test('a transaction comes with the checkout that it names, unless a member wrote it', async () => {
  const metadata = { checkoutSessionId: 'cs_1' };
  const bought = await shown({ type: 'fund', metadata });
  assert.deepEqual(bought.checkout, { sessionId: 'cs_1', status: 'paid', providerId: 'cs_1' });
  for (const fields of [
    { metadata },
    { type: 'fund' as const, metadata: { checkoutSessionId: 5 } },
    { type: 'fund' as const },
  ]) {
    const { checkout, asked } = await shown(fields);
    assert.deepEqual([checkout, asked.find(([what]) => what === 'checkouts')], [null, ['checkouts']]);
  }
});

test('a withdrawal comes with its payout, and so does the refund that brings its Keys back', async () => {
  assert.equal((await shown({ type: 'withdrawal' })).payout?.reference, ID);
  const refund = { type: 'refund', metadata: { withdrawalId: transactionIdOf(OTHER) } } as const;
  assert.equal((await shown(refund)).payout?.reference, OTHER);
  for (const fields of [
    { ...refund, type: 'fund' as const },
    { ...refund, metadata: { withdrawalId: 5 } },
    { ...refund, metadata: { withdrawalId: 'x' } },
    {},
  ])
    assert.equal((await shown(fields)).payout, null, JSON.stringify(fields));
});

test('what a page needs is asked for once, for all of its transactions', async () => {
  const same = { type: 'fund', fromUserId: null, metadata: { checkoutSessionId: 'cs_1' } } as const;
  const { rules, asked } = ruling([recorded(same), recorded({ ...same, id: OTHER })]);
  const { items, summary } = await rules.pageOf({}, { page: 1, limit: 9 }, {});
  assert.deepEqual([items.length, items[0]?.currency, summary], [2, 'Keys', undefined]);
  assert.deepEqual(asked, [
    ['page', undefined],
    ['checkouts', 'cs_1'],
    ['payouts'],
    ['owners', 'ben', 'ben'],
  ]);
  assert.equal((await rules.pageOf({}, { page: 1, limit: 9 }, { summary: true })).summary, 'sums');
});

test('a page begins after a transaction that is there, and nothing else is found', async () => {
  const request = { page: 1, limit: 9 };
  const { rules, asked, codeOf } = ruling([recorded()]);
  await rules.pageOf({}, { ...request, before: transactionIdOf(OTHER) }, {});
  assert.deepEqual(asked[0], ['page', OTHER]);
  assert.equal(await codeOf(rules.pageOf({}, { ...request, before: 'txn_x' }, {})), 422);
  const unknown = ruling([], true);
  assert.equal(
    await unknown.codeOf(unknown.rules.pageOf({}, { ...request, before: transactionIdOf(ID) }, {})),
    422,
  );
  for (const reference of ['txn_x', transactionIdOf(OTHER)])
    assert.equal(await codeOf(rules.find(reference)), 404);
});
