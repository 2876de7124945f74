import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../kernel/time/time.ts';
import { MAX_ISSUED_AT_ONCE, SOLD_UP_TO } from '../ledger/circulation.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import { creditingRules } from './crediting.ts';
import { purchaseRules } from './purchases.ts';
import { reversingRules } from './reversing.ts';

// What paid, refunded and disputed payments do to the Keys that they bought, without a platform around the rules.

const ID = 'c'.repeat(24);
const POSTED = { id: ID, to: { balanceAfter: 25 } } as never;

interface State {
  balance?: number;
  keys?: number;
  returned?: number;
  short?: number;
  /** The missing Keys of the open alert about them. */
  openAlert?: number;
  isDeleted?: boolean;
}
type Handler = { handleInTransaction: (events: object[], tx: unknown) => Promise<void> };

/** Handles an event about a payment; returns what was done. */
async function handle(event: 'paid' | 'reversed', data: object, state: State = {}) {
  const done: unknown[][] = [];
  const tx = {
    first: async (text: string) =>
      text.includes('kernel.alert')
        ? state.openAlert && { raisedAt: new Date(), details: { short: state.openAlert } }
        : { keys: state.keys ?? 10, returned: state.returned ?? 0, short: state.short ?? 0 },
    lock: async () => undefined,
    execute: async (_text: string, [, returned, short]: unknown[]) =>
      done.push(['returned', returned, ...(short ? [short] : [])]),
    insert: async (_table: string, purchase: object) => done.push(['purchase', purchase]),
  };
  const ledger = {
    balanceIn: async () => state.balance ?? 100,
    postIn: async (_tx: unknown, draft: TransactionDraft) => {
      const { type, from, to, fromUserId, toUserId, amount, description, metadata, despiteLocks, announce } =
        draft;
      assert.deepEqual([draft.status, despiteLocks], ['completed', true]);
      done.push([type, from, to, fromUserId, toUserId, amount, description, metadata]);
      done.push(['announce', [announce?.(POSTED) ?? []].flat()[0]?.data()]);
      return { id: ID };
    },
  } as never;
  const alertOperators = async (
    _tx: unknown,
    { action, target, details }: { action: string; target: string; details: object },
  ) => done.push(['alert', action, target, details]) > 0;
  const closed = {
    isClosed: async () => state.isDeleted === true,
    refunded: async () => undefined,
    received: async (_tx: unknown, { userId, keys, checkoutId }: Record<string, unknown>) =>
      void done.push(['received', userId, keys, ...(checkoutId ? [checkoutId] : [])]),
    left: async (_tx: unknown, userId: string) => void done.push(['left', userId]),
  } as never;
  const [subscription] = (event === 'paid'
    ? creditingRules({ ledger, closed })
    : reversingRules({
        ledger,
        closed,
        alertOperators,
        clock: manualClock(0),
      })) as unknown as [Handler];
  await subscription.handleInTransaction([{ data }], tx);
  return done;
}

const PAID = {
  purpose: 'keys',
  userId: 'ada',
  sessionId: 'cs_1',
  checkoutId: 'checkout',
  details: { keys: 25, usdAmount: 26, metadata: { campaign: 'spring', usdAmount: 1 } },
};

test('a paid order brings its Keys, also to a locked wallet, and is recorded', async () => {
  const metadata = { campaign: 'spring', checkoutSessionId: 'cs_1', usdAmount: 26 };
  const done = await handle('paid', PAID);
  assert.deepEqual(done, [
    ['fund', 'issued', 'wallet:ada', null, 'ada', 25, 'Keys bought', metadata],
    [
      'announce',
      { transactionId: transactionIdOf(ID), userId: 'ada', amount: 25, balance: 25, source: 'checkout' },
    ],
    ['purchase', { checkoutId: 'checkout', transactionId: ID, keys: 25 }],
    ['received', 'ada', 25, 'checkout'],
  ]);
  assert.deepEqual(await handle('paid', { ...PAID, purpose: 'shoes' }), [], 'an order of another module');
});

const REVERSED = {
  purpose: 'keys',
  userId: 'ada',
  sessionId: 'cs_1',
  checkoutId: 'checkout',
  cents: 1_000,
  reversedCents: 500,
  cause: { kind: 'refund', refundedCents: 550 },
};

test('a reversal takes the share of the Keys that is reversed, rounded down, less what was taken before', async () => {
  for (const [reversedCents, returned, taken] of [
    [500, 0, 5],
    [599, 0, 5],
    [99, 0, 0],
    [1_000, 0, 10],
    [1_000, 5, 5],
    [500, 5, 0],
    [200, 5, -3],
  ] as const) {
    const done = await handle('reversed', { ...REVERSED, reversedCents }, { returned });
    const counted = done.filter(([what]) => what === 'returned');
    assert.deepEqual(counted, taken === 0 ? [] : [['returned', taken]], `${reversedCents} ${returned}`);
  }
  const huge = { keys: Number.MAX_SAFE_INTEGER, balance: Number.MAX_SAFE_INTEGER };
  const all = await handle('reversed', { ...REVERSED, reversedCents: 1_000 }, huge);
  assert.deepEqual(all[0], ['returned', Number.MAX_SAFE_INTEGER], 'exactly');
  assert.deepEqual(await handle('reversed', { ...REVERSED, purpose: 'shoes' }), []);
});

test('Keys go back with the reason, and come again when a dispute is won', async () => {
  const transactionId = transactionIdOf(ID);
  const refunded = { checkoutSessionId: 'cs_1', refundedUsd: 5.5 };
  assert.deepEqual(await handle('reversed', REVERSED), [
    ['returned', 5],
    ['refund', 'wallet:ada', 'issued', 'ada', null, 5, 'Payment refunded', refunded],
    ['announce', { transactionId, userId: 'ada', amount: 5, short: 0 }],
    ['left', 'ada'],
  ]);
  const cause = { kind: 'dispute', disputeId: 'dp_1', disputedCents: 250 };
  const disputed = { checkoutSessionId: 'cs_1', disputeId: 'dp_1', disputedUsd: 2.5 };
  const [, post] = await handle('reversed', { ...REVERSED, cause });
  assert.deepEqual(post?.slice(6), ['Payment disputed', disputed]);
  const won = { ...REVERSED, reversedCents: 0, cause: { ...cause, kind: 'dispute-won' } };
  const metadata = { checkoutSessionId: 'cs_1', disputeId: 'dp_1' };
  assert.deepEqual(await handle('reversed', won, { returned: 5 }), [
    ['returned', -5],
    ['refund', 'issued', 'wallet:ada', null, 'ada', 5, 'Dispute won', metadata],
    ['announce', { transactionId, userId: 'ada', amount: 5 }],
    ['received', 'ada', 5],
  ]);
});

test('what a wallet no longer has is short: operators are alerted, and the rest is taken', async () => {
  const because = { checkoutSessionId: 'cs_1', refundedUsd: 5.5 };
  for (const [balance, taken] of [
    [4, 4],
    [1, 1],
    [0, 0],
  ] as const) {
    const short = 5 - taken;
    const done = await handle('reversed', REVERSED, { balance });
    assert.deepEqual(done.slice(0, 2), [
      ['returned', taken, short],
      ['alert', 'payment.keys-short', 'ada', { ...because, due: 5, short }],
    ]);
    const posted = done.find(([what]) => what === 'refund');
    assert.deepEqual(
      posted?.slice(5),
      taken ? [taken, 'Payment refunded', { ...because, short }] : undefined,
    );
  }
  const enough = await handle('reversed', REVERSED, { balance: 5 });
  assert.ok(!enough.some(([what]) => what === 'alert'));
  const gone = await handle('reversed', REVERSED, { balance: 0, isDeleted: true });
  assert.deepEqual(gone, [['returned', 0, 5]], 'nobody gets them from a deleted member');
});

test('what was missing is left to operators: it is not taken later, and no longer owed once a dispute is won', async () => {
  const cause = { kind: 'dispute', disputeId: 'dp_1', disputedCents: 500 };
  const lost = await handle('reversed', { ...REVERSED, cause }, { returned: 0, short: 5, balance: 100 });
  assert.deepEqual(lost, [], 'the same share is reversed');
  for (const [openAlert, short] of [
    [5, 8],
    [undefined, 3],
  ] as const) {
    const state = { short: 5, balance: 1, ...(openAlert ? { openAlert } : {}) };
    const more = await handle('reversed', { ...REVERSED, reversedCents: 900 }, state);
    assert.deepEqual(more.slice(0, 2), [
      ['returned', 1, 3],
      ['alert', 'payment.keys-short', 'ada', { checkoutSessionId: 'cs_1', refundedUsd: 5.5, due: 4, short }],
    ]);
  }
  const won = { ...REVERSED, reversedCents: 0, cause: { ...cause, kind: 'dispute-won' } };
  const because = { checkoutSessionId: 'cs_1', disputeId: 'dp_1', disputedUsd: 5 };
  assert.deepEqual(await handle('reversed', won, { returned: 1, short: 4, openAlert: 4 }), [
    ['returned', -1, -4],
    [
      'refund',
      'issued',
      'wallet:ada',
      null,
      'ada',
      1,
      'Dispute won',
      { checkoutSessionId: 'cs_1', disputeId: 'dp_1' },
    ],
    ['announce', { transactionId: transactionIdOf(ID), userId: 'ada', amount: 1 }],
    ['received', 'ada', 1],
  ]);
  assert.deepEqual(await handle('reversed', won, { short: 4 }), [
    ['returned', 0, -4],
    ['alert', 'payment.keys-no-longer-short', 'ada', { ...because, keys: 4 }],
  ]);
  const half = { ...won, reversedCents: 200 };
  const [taken, alert] = await handle('reversed', half, { short: 4, openAlert: 4 });
  assert.deepEqual(
    [taken, alert?.slice(0, 3)],
    [
      ['returned', 0, -2],
      ['alert', 'payment.keys-short', 'ada'],
    ],
  );
});

test('Keys are sold to a wallet that can take them, as many as can be issued, at the price of now, and to who stays verified', async () => {
  const buy = async (wallet: object, amount = 5, circulation = 0) => {
    const done: unknown[][] = [];
    const { buy } = purchaseRules({
      merchant: {
        openCheckout: async (order: object, also: (tx: unknown, opened: object) => Promise<void>) => {
          done.push(['open', order]);
          const opened = { sessionId: 'cs_1', url: 'https://pay.example', expiresAt: 'later' };
          await also('tx', opened);
          return opened;
        },
      } as never,
      wallets: {
        ensure: async () => ({ wallet: { locked: false, isActive: true, balance: 0, ...wallet } }),
      } as never,
      ledger: { issued: async () => circulation },
      rates: { priceOf: async () => ({ usdAmount: 6, cents: 600 }) } as never,
      users: { mustStayVerified: async () => void done.push(['verified']) },
      database: {} as never,
    });
    const idempotency = { id: 'i1', record: (of: () => object) => void done.push(['saved', of()]) } as never;
    const caller = { kind: 'user', userId: 'ada' } as never;
    const answer = await buy(caller, { amount, successUrl: 'https://a.example' }, idempotency).catch(
      ({ code }: { code: string }) => code,
    );
    return { answer, done };
  };
  const { answer, done } = await buy({});
  const sold = { checkoutSessionId: 'cs_1', paymentLink: 'https://pay.example', expiresAt: 'later' };
  assert.deepEqual(answer, { ...sold, keysAmount: 5, usdAmount: 6, currency: 'USD' });
  const order = {
    purpose: 'keys',
    userId: 'ada',
    cents: 600,
    details: { keys: 5, usdAmount: 6, metadata: {} },
    successUrl: 'https://a.example',
    description: '5 Keys',
    idempotencyKey: 'i1',
  };
  assert.deepEqual(done, [['open', order], ['verified'], ['saved', answer]]);
  assert.equal(((await buy({}, 1)).done[0]?.[1] as { description: string }).description, '1 Key');
  const most = SOLD_UP_TO - 5;
  assert.equal(typeof (await buy({}, 5, most)).answer, 'object');
  assert.equal(typeof (await buy({}, MAX_ISSUED_AT_ONCE)).answer, 'object');
  const refused = (code: string) => ({ answer: code, done: [] });
  assert.deepEqual(await buy({}, 5, most + 1), refused('CIRCULATION_LIMIT_EXCEEDED'));
  assert.deepEqual(await buy({}, MAX_ISSUED_AT_ONCE + 1), refused('TOO_MANY_KEYS_AT_ONCE'));
  for (const [wallet, code] of [
    [{ locked: true }, 'WALLET_LOCKED'],
    [{ isActive: false }, 'WALLET_INACTIVE'],
  ] as const)
    assert.deepEqual(await buy(wallet), refused(code));
});
