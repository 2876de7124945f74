import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { withdrawalSettlement } from './settlement.ts';

// What the end of a payout does to its withdrawal, once, without a platform around the rules.

const ID = 'a'.repeat(24);
const TRANSACTION = transactionIdOf(ID);
const ADMINISTRATOR = { actor: 'ada', actorEmail: 'ada@example.com' };

/** Handles an event about the payout of a withdrawal with this status; returns what was done. */
async function handle(event: 'settled' | 'returned', data: object, status: string | undefined = 'pending') {
  const done: unknown[][] = [];
  const [settled, returned] = withdrawalSettlement({
    store: {
      lock: async () => status && { id: ID, status, userId: 'ben', amount: 40, digest: 'd' },
    } as never,
    ledger: {
      completeIn: async (_tx: unknown, { from, to, amount }: Record<string, unknown>) =>
        done.push(['complete', from, to, amount]),
      endIn: async (_tx: unknown, _id: string, outcome: string) => done.push(['end', outcome]),
      postIn: async (_tx: unknown, draft: Record<string, unknown>) => {
        const { type, status, from, to, fromUserId, toUserId, amount, description, metadata, despiteLocks } =
          draft;
        assert.deepEqual([type, status, fromUserId, toUserId], ['refund', 'completed', null, 'ben']);
        done.push(['post', from, to, amount, description, metadata, despiteLocks]);
      },
    } as never,
    closed: { received: async (_tx, { userId, keys }) => void done.push(['received', userId, keys]) },
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, fields: object) =>
        done.push(['publish', name, fields]),
    } as never,
    audit: {
      record: async (
        _tx: unknown,
        {
          actor,
          action,
          target,
          details,
        }: { actor: string; action: string; target: string; details: object },
      ) => done.push(['audit', actor, action, target, details]),
    } as never,
  });
  const subscription = event === 'settled' ? settled : returned;
  const { handleInTransaction } = subscription as unknown as {
    handleInTransaction: (events: object[], tx: unknown) => Promise<void>;
  };
  await handleInTransaction([{ data }], 'tx');
  return done;
}
const REFUND = ['post', 'hold:ben', 'wallet:ben', 40];

test('a payout that is paid completes the withdrawal, and is announced', async () => {
  const paid = { reference: ID, outcome: 'paid', reason: '', decision: null };
  const [complete, publish, ...rest] = await handle('settled', paid);
  assert.deepEqual(complete, ['complete', 'hold:ben', 'withdrawn', 40]);
  assert.deepEqual(publish?.[2], { transactionId: TRANSACTION, userId: 'ben', amount: 40 });
  assert.deepEqual(rest, []);
});

test('a payout that fails or is cancelled returns the Keys, also to a locked wallet, with its reason', async () => {
  for (const [outcome, reason, metadata] of [
    ['failed', 'No such bank', { withdrawalId: TRANSACTION, reason: 'No such bank' }],
    ['cancelled', '', { withdrawalId: TRANSACTION }],
  ] as const)
    assert.deepEqual(await handle('settled', { reference: ID, outcome, reason, decision: null }), [
      ['end', outcome],
      [...REFUND, `Withdrawal ${outcome}`, metadata, true],
      ['received', 'ben', 40],
    ]);
});

test('a decision of an administrator is recorded, and one of the member is not', async () => {
  const decided = async (outcome: string, decision: object) =>
    (await handle('settled', { reference: ID, outcome, reason: 'by hand', decision })).filter(
      ([what]) => what === 'audit',
    );
  for (const [outcome, recorded] of [
    ['paid', 'completed'],
    ['failed', 'failed'],
  ] as const)
    assert.deepEqual(await decided(outcome, { actor: ADMINISTRATOR }), [
      [
        'audit',
        'ada',
        'withdrawal.settled',
        'ben',
        { transactionId: TRANSACTION, outcome: recorded, reason: 'by hand' },
      ],
    ]);
  assert.deepEqual(await decided('cancelled', {}), []);
});

test('a paid payout that the bank returns brings the Keys back, and the withdrawal stays completed', async () => {
  const returned = { reference: ID, userId: 'ben', reason: 'Account closed' };
  assert.deepEqual(await handle('returned', returned, 'completed'), [
    [
      'post',
      'withdrawn',
      'wallet:ben',
      40,
      'Payout returned',
      { withdrawalId: TRANSACTION, reason: 'Account closed' },
      true,
    ],
    ['received', 'ben', 40],
  ]);
});

test('a withdrawal ends once, and is returned only after it was paid', async () => {
  for (const status of ['completed', 'failed', 'cancelled', undefined])
    for (const outcome of ['paid', 'failed']) {
      const settled = { reference: ID, outcome, reason: '', decision: { actor: ADMINISTRATOR } };
      assert.deepEqual(await handle('settled', settled, status ?? ''), [], status);
    }
  for (const status of ['pending', 'failed', 'cancelled', undefined])
    assert.deepEqual(await handle('returned', { reference: ID, reason: '' }, status ?? ''), [], status);
});
