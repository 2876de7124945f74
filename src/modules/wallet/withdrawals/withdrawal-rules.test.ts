import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { PayoutDecision } from '../../merchant/contract.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { followUpRules } from './following-up.ts';
import type { Withdrawal } from './withdrawals.model.ts';
import { withdrawalRules } from './withdrawals.ts';

// What requests for payouts draft, and what decisions about them do, without a platform around the rules.

const [ID, OTHER] = ['c'.repeat(24), 'd'.repeat(24)];
const WITHDRAWAL = { id: ID, userId: 'ada', status: 'pending', amount: 40 } as Withdrawal;
const ADA = { kind: 'user', userId: 'ada', email: 'ada@example.com' } as UserCaller;
const saved: object[] = [];
const IDEMPOTENCY = { id: 'i1', record: (of: () => object) => void saved.push(of()) } as never;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    (result) => result,
    ({ status, code, message }: Failure) =>
      status === 422 ? status : code === 'NOT_FOUND' ? message : `${status} ${code}`,
  );

interface State {
  balance?: number;
  isDecided?: boolean;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  let drafted: TransactionDraft | undefined;
  const posting = async (draft: TransactionDraft) => {
    drafted = draft;
    return { id: ID, from: { balanceAfter: 60 } } as never;
  };
  const rules = withdrawalRules({
    store: { find: async (id: string) => (id === ID ? WITHDRAWAL : undefined) } as never,
    merchant: {
      maxPayoutCents: 99_999,
      requestPayout: async (_tx: unknown, payout: object) => done.push(['payout', payout]),
      decidePayout: async (_id: string, decision: PayoutDecision, also: (tx: unknown) => Promise<void>) => {
        done.push(['decide', decision]);
        if (state.isDecided !== false) await also('tx');
        return state.isDecided !== false;
      },
    } as never,
    wallets: {
      postToHold: async (userId: string, draft: TransactionDraft) => {
        done.push(['hold', userId]);
        return posting(draft);
      },
    } as never,
    rates: {
      payoutOf: async (...asked: unknown[]) => {
        done.push(['rate', ...asked]);
        return { usdAmount: 38, cents: 3_800 };
      },
    } as never,
    stepUp: { mustHaveSteppedUp: async () => void done.push(['step up']) },
    users: { mustStayVerified: async () => void done.push(['verified']) },
    ledger: {
      balanceIn: async () => state.balance ?? 40,
      ensureAccount: async (_tx: unknown, ...account: string[]) => done.push(['account', ...account]),
      postIn: async (_tx: unknown, draft: TransactionDraft) => posting(draft),
    } as never,
  });
  return { rules, done, drafted: () => drafted as TransactionDraft };
}

test('a request holds the Keys of a verified member who stepped up, and asks for their worth of now', async () => {
  const { rules, done, drafted } = ruling();
  const given = { amount: 40, description: 'Rent', metadata: { note: 'x', usdAmount: 1 } };
  assert.deepEqual(await rules.request(ADA, given, IDEMPOTENCY), {
    wallet: { balance: 60 },
    transaction: { transactionId: transactionIdOf(ID), type: 'withdrawal', amount: 40, status: 'pending' },
  });
  const { type, status, from, to, fromUserId, toUserId, description, metadata } = drafted();
  assert.deepEqual(
    [type, status, from, to, fromUserId, toUserId, description, metadata],
    ['withdrawal', 'pending', 'wallet:ada', 'hold:ada', null, 'ada', 'Rent', { note: 'x', usdAmount: 38 }],
  );
  await drafted().admit?.('tx' as never);
  await drafted().also?.('tx' as never, { id: ID } as never);
  assert.deepEqual(done, [
    ['rate', 40, 99_999, undefined],
    ['hold', 'ada'],
    ['verified'],
    ['step up'],
    ['payout', { reference: ID, userId: 'ada', cents: 3_800 }],
  ]);
  const { data } = [drafted().announce?.({ id: ID } as never) ?? []].flat()[0] ?? assert.fail();
  assert.deepEqual(data(), { transactionId: transactionIdOf(ID), userId: 'ada', amount: 40, usdAmount: 38 });
});

test('all Keys of a member are requested in a transaction, if there are any', async () => {
  const { rules, done, drafted } = ruling();
  await rules.requestRemainingIn('tx' as never, 'ada', { description: 'Account deleted' });
  assert.deepEqual(done, [
    ['account', 'hold', 'ada'],
    ['rate', 40, 99_999, 'tx'],
  ]);
  assert.deepEqual([drafted().amount, drafted().description], [40, 'Account deleted']);
  for (const balance of [0, 1]) {
    const made = ruling({ balance });
    await made.rules.requestRemainingIn('tx' as never, 'ada', {});
    assert.equal(made.done.length > 0, balance > 0);
  }
});

test('a withdrawal is found by anybody who looks for all, and otherwise by its owner', async () => {
  const { rules } = ruling();
  const find = (id: string, owner?: string) => codeOf(rules.find(transactionIdOf(id), owner));
  assert.equal(await find(ID), WITHDRAWAL);
  assert.equal(await find(ID, 'ada'), WITHDRAWAL);
  assert.equal(await find(ID, 'ben'), 'Withdrawal not found');
  assert.equal(await find(OTHER), 'Withdrawal not found');
  assert.equal(await codeOf(rules.find('txn_x')), 'Withdrawal not found');
});

test('a decision names its outcome, and who made it unless it was the member', async () => {
  const own = ruling();
  const cancelled = await own.rules.cancel(WITHDRAWAL, IDEMPOTENCY);
  assert.deepEqual([cancelled._id, cancelled.transactionId], [ID, transactionIdOf(ID)]);
  assert.equal(saved.at(-1), cancelled);
  assert.deepEqual(own.done[0], [
    'decide',
    { id: 'i1', outcome: 'cancelled', reason: 'cancelled by the member', isOperators: false, details: {} },
  ]);
  assert.ok(!own.done.some(([what]) => what === 'step up'));
  for (const [outcome, decided] of [
    ['completed', 'paid'],
    ['failed', 'failed'],
  ] as const) {
    const { rules, done } = ruling();
    const by = { caller: ADA, facts: { requestId: 'q' } as never, idempotency: IDEMPOTENCY };
    await rules.settle(WITHDRAWAL, { outcome, reason: 'by hand' }, by);
    const { outcome: asked, isOperators, details } = done[0]?.[1] as PayoutDecision;
    assert.deepEqual(
      [asked, isOperators, (details.actor as { actor: string }).actor, done[1]],
      [decided, true, 'ada', ['step up']],
    );
  }
  const late = ruling({ isDecided: false });
  assert.equal(await codeOf(late.rules.cancel(WITHDRAWAL, IDEMPOTENCY)), '409 WITHDRAWAL_NOT_PENDING');
});

/** Follows up withdrawals of which the payout of the first one is known. */
function following() {
  const done: unknown[][] = [];
  const rules = followUpRules({
    store: {
      find: async () => WITHDRAWAL,
      pageOf: async (_filter: object, { before, ...request }: { before?: string }) => {
        done.push(['page', before]);
        return { ...request, items: [WITHDRAWAL, { ...WITHDRAWAL, id: OTHER }], total: 2 };
      },
      summaryOf: async () => 'sums',
    } as never,
    merchant: {
      payments: {
        payoutsOf: async () => [{ reference: ID, providerId: 'po_1', attempts: 3, lastError: 'away' }],
        retryPayout: async (id: string) => void done.push(['retry', id]),
      } as never,
    },
    owners: { ofRows: async (rows: object[]) => rows } as never,
    database: {
      transaction: async (work: (tx: unknown) => unknown) =>
        work({ execute: async () => 1, send: () => undefined }),
    } as never,
    audit: {
      record: async (_tx: unknown, { action, target, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, details]),
    } as never,
  });
  return { rules, done };
}

test('withdrawals are listed with what is known of their payouts, and summed up on request', async () => {
  const { rules, done } = following();
  const request = { page: 1, limit: 9 };
  const { items, summary } = await rules.listed({}, request, {});
  assert.deepEqual(
    items.map(({ providerId, attempts, lastError }) => [providerId, attempts, lastError]),
    [
      ['po_1', 3, 'away'],
      [null, 0, null],
    ],
  );
  assert.equal(summary, undefined);
  assert.equal((await rules.listed({}, request, { summary: true })).summary, 'sums');
  await rules.listed({}, { ...request, before: transactionIdOf(OTHER) }, {});
  assert.deepEqual(done, [
    ['page', undefined],
    ['page', undefined],
    ['page', OTHER],
  ]);
  assert.equal(await codeOf(rules.listed({}, { ...request, before: 'txn_x' }, {})), 422);
});

test('only a pending withdrawal is retried, and this is recorded with what came of it', async () => {
  const pending = following();
  const now = await pending.rules.retry(WITHDRAWAL, { actor: 'eve' }, IDEMPOTENCY);
  assert.deepEqual([now.attempts, saved.at(-1)], [3, now]);
  assert.deepEqual(pending.done, [
    ['retry', ID],
    ['audit', 'withdrawal.retried', 'ada', { transactionId: transactionIdOf(ID), status: 'pending' }],
  ]);
  for (const status of ['completed', 'failed', 'cancelled'] as const) {
    const { rules, done } = following();
    const retried = rules.retry({ ...WITHDRAWAL, status }, { actor: 'eve' }, IDEMPOTENCY);
    assert.equal(await codeOf(retried), '409 WITHDRAWAL_NOT_PENDING');
    assert.deepEqual(done, []);
  }
});
