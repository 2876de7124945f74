import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { debitRules } from './debits.ts';
import { moving } from './moving.ts';
import { reversalRules } from './reversals.ts';

// What administrators take from wallets and reverse, and what they are refused, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const [ID, COUNTER] = ['c'.repeat(24), 'd'.repeat(24)];
const REFERENCE = transactionIdOf(ID);
const BY = {
  admin: { kind: 'user', userId: 'root', email: 'root@example.com' } as UserCaller,
  facts: { requestId: 'q' } as never,
  idempotency: { record: () => undefined } as never,
};
const ORIGINAL = {
  id: ID,
  type: 'transfer',
  status: 'completed',
  fromUserId: 'ada',
  toUserId: 'ben',
  amount: 20,
  description: '',
  metadata: {},
  isReversed: false,
};

interface State {
  original?: object | undefined;
  balance?: number;
  isDeleted?: boolean;
  needsStepUp?: boolean;
  wallet?: object | undefined;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const tx = {
    lock: async (...what: unknown[]) => done.push(['lock', ...what]),
    first: async () => ('original' in state ? state.original : ORIGINAL),
    insert: async (_table: string, reversal: object) => done.push(['reversal', reversal]),
  };
  const database = { transaction: async (work: (tx: unknown) => unknown) => work(tx) } as never;
  const audit = {
    record: async (_tx: unknown, { action, target, details }: Record<string, unknown>) =>
      done.push(['audit', action, target, details]),
  } as never;
  const ledger = {
    balanceIn: async () => state.balance ?? 100,
    postIn: async (_tx: unknown, draft: TransactionDraft) => {
      const { type, status, from, to, fromUserId, toUserId, amount, description, metadata, despiteLocks } =
        draft;
      assert.deepEqual([type, status, despiteLocks], ['refund', 'completed', true]);
      done.push(['post', from, to, fromUserId, toUserId, amount, description, metadata]);
      const posted = { id: COUNTER, at: AT, from: { balanceAfter: 1 }, to: { balanceAfter: 60 } } as never;
      for (const { data } of [draft.announce?.(posted) ?? []].flat()) done.push(['announce', data()]);
      await draft.also?.(tx as never, posted);
      return posted;
    },
  } as never;
  const left = async (_tx: unknown, userId: string) => void done.push(['left', userId]);
  const move = moving(ledger, { left });
  const users = {
    keep: async () => state.isDeleted !== true,
    stepUp: {
      mustHaveSteppedUp: async () => {
        if (state.needsStepUp) throw new Error('step up');
      },
    },
  } as never;
  const clock = manualClock(AT.getTime());
  const wallet =
    'wallet' in state ? state.wallet : { _id: 'w', currency: 'Keys', isActive: true, locked: true };
  const codeOf = <T>(work: Promise<T>) =>
    work.then(
      (result) => result,
      ({ status, code, message }: Failure) => (code && code !== 'NOT_FOUND' ? `${status} ${code}` : message),
    );
  return {
    done,
    codeOf,
    reversals: reversalRules({ database, audit, clock, move, users }),
    debits: debitRules({ database, audit, move, users, wallets: { findAll: async () => [wallet] as never } }),
  };
}
const reverse = async (state: State = {}, more: { allowPartial?: boolean } = {}) => {
  const { done, codeOf, reversals } = ruling(state);
  return { result: await codeOf(reversals.reverse(REFERENCE, more, BY)), done };
};
const debit = async (amount: number, state: State = {}, more: { allowPartial?: boolean } = {}) => {
  const { done, codeOf, debits } = ruling(state);
  return { result: await codeOf(debits.debit({ userId: 'ada', amount, ...more }, BY)), done };
};

test('a reversal moves the Keys of a transfer back, under a lock of its own, and is recorded', async () => {
  const { result, done } = await reverse();
  const metadata = { correction: true, reversalOf: REFERENCE, adminId: 'root' };
  const transactionId = transactionIdOf(COUNTER);
  assert.deepEqual(done, [
    ['lock', 'wallet.reversal', ID],
    ['post', 'wallet:ben', 'wallet:ada', 'ben', 'ada', 20, `Reversal of ${REFERENCE}`, metadata],
    ['announce', { transactionId, userId: 'ben', amount: 20, short: 0 }],
    ['announce', { transactionId, userId: 'ada', amount: 20, balance: 60, source: 'correction' }],
    [
      'audit',
      'transaction.reversed',
      REFERENCE,
      { amount: 20, short: 0, transactionId, fromUserId: 'ben', toUserId: 'ada' },
    ],
    ['left', 'ben'],
    ['reversal', { transactionId: ID, counterId: COUNTER, short: 0, reversedAt: AT }],
  ]);
  const { transaction, short, reversedTransactionId } = result as Exclude<typeof result, string>;
  assert.deepEqual([short, reversedTransactionId], [0, REFERENCE]);
  const { _id, createdAt, currency, amount, fromUserId } = transaction;
  assert.deepEqual([_id, createdAt, currency, amount, fromUserId], [COUNTER, AT, 'Keys', 20, 'ben']);
});

test('what an administrator granted goes back to the platform, and what one took comes again', async () => {
  const granted = { ...ORIGINAL, type: 'fund', fromUserId: null, metadata: { manualFunding: true } };
  const [, post, ...rest] = (await reverse({ original: granted })).done;
  assert.deepEqual(post?.slice(1, 6), ['wallet:ben', 'issued', 'ben', null, 20]);
  const announced = (done: unknown[][]) =>
    done.filter(([what]) => what === 'announce').map(([, data]) => data);
  const transactionId = transactionIdOf(COUNTER);
  assert.deepEqual(announced(rest), [{ transactionId, userId: 'ben', amount: 20, short: 0 }]);
  const taken = { ...ORIGINAL, type: 'refund', toUserId: null, metadata: { manualDebit: true } };
  const given = await reverse({ original: taken, balance: 0 });
  assert.deepEqual(
    given.done[1]?.slice(1, 6),
    ['issued', 'wallet:ada', null, 'ada', 20],
    'whatever there is',
  );
  assert.deepEqual(announced(given.done), [
    { transactionId, userId: 'ada', amount: 20, balance: 60, source: 'correction' },
  ]);
});

test('a transaction is reversed once, if it is of those kinds, and its sender is still there', async () => {
  const of = (fields: object) => ({ original: { ...ORIGINAL, ...fields } });
  for (const [state, code] of [
    [{ original: undefined }, 'Transaction not found'],
    [of({ isReversed: true }), '409 ALREADY_REVERSED'],
    [of({ status: 'pending' }), '409 NOT_REVERSIBLE'],
    [of({ type: 'withdrawal' }), '409 NOT_REVERSIBLE'],
    [of({ type: 'fund' }), '409 NOT_REVERSIBLE'],
    [of({ type: 'fund', metadata: { manualFunding: 'true' } }), '409 NOT_REVERSIBLE'],
    [of({ type: 'fund', metadata: { manualDebit: true } }), '409 NOT_REVERSIBLE'],
    [of({ type: 'refund', metadata: { manualFunding: true } }), '409 NOT_REVERSIBLE'],
    [{ isDeleted: true }, 'User not found'],
    [{ needsStepUp: true }, 'step up'],
    [{ balance: 19 }, '400 INSUFFICIENT_BALANCE'],
  ] as [State, string][]) {
    const { result, done } = await reverse(state);
    assert.equal(result, code, JSON.stringify(state));
    assert.deepEqual(
      done.filter(([what]) => what !== 'lock'),
      [],
    );
  }
  const toPlatform = { ...ORIGINAL, type: 'fund', fromUserId: null, metadata: { manualFunding: true } };
  const { result } = await reverse({ original: toPlatform, isDeleted: true });
  assert.equal(typeof result, 'object', 'nobody has to be there to get them');
});

test('less is moved where less is allowed, and what is short is said; nothing is nothing', async () => {
  for (const [balance, moved] of [
    [19, 19],
    [1, 1],
    [20, 20],
    [21, 20],
  ] as const) {
    const { done } = await reverse({ balance }, { allowPartial: true });
    const [, post] = done;
    const short = 20 - moved;
    assert.deepEqual(post?.[5], moved);
    assert.deepEqual((post?.[7] as { short?: number }).short, short || undefined);
    assert.deepEqual((done.at(-1)?.[1] as { short: number }).short, short);
  }
  const none = await reverse({ balance: 0 }, { allowPartial: true });
  assert.equal(none.result, '400 INSUFFICIENT_BALANCE');
});

test('a debit takes Keys, says so, and is refused for who is gone or has no wallet', async () => {
  const { result, done } = await debit(20);
  const metadata = { correction: true, manualDebit: true, adminId: 'root' };
  const transactionId = transactionIdOf(COUNTER);
  assert.deepEqual(done, [
    ['post', 'wallet:ada', 'issued', 'ada', null, 20, 'Taken back by an administrator', metadata],
    ['announce', { transactionId, userId: 'ada', amount: 20, short: 0 }],
    ['audit', 'wallet.debited', 'ada', { amount: 20, short: 0, transactionId }],
    ['left', 'ada'],
  ]);
  const { wallet, short } = result as Exclude<typeof result, string>;
  assert.deepEqual(
    [wallet, short],
    [{ _id: 'w', userId: 'ada', balance: 1, currency: 'Keys', isActive: true, locked: true }, 0],
  );
  for (const [state, code] of [
    [{ needsStepUp: true }, 'step up'],
    [{ isDeleted: true, wallet: undefined }, 'User not found'],
    [{ wallet: undefined }, '404 WALLET_NOT_FOUND'],
    [{ balance: 19 }, '400 INSUFFICIENT_BALANCE'],
  ] as [State, string][])
    assert.deepEqual(await debit(20, state), { result: code, done: [] });
  assert.deepEqual((await debit(20, { isDeleted: true })).done.at(-1), ['left', 'ada'], 'a closed wallet');
  const partial = await debit(20, { balance: 15 }, { allowPartial: true });
  assert.deepEqual((partial.result as { short: number }).short, 5);
});
