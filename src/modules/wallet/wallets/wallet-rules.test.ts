import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure } from '../../../kernel/failures.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import { recipientUnavailable, walletInactive, walletLocked } from '../contract.ts';
import type { TransactionDraft } from '../ledger/drafts.ts';
import { recipientWithoutWallet } from '../ledger/postings.ts';
import { walletClosing } from '../withdrawals/wallet-closing.ts';
import type { Wallet } from './wallets.model.ts';
import { walletRules } from './wallets.ts';

// Wallets of members who are deleted, created or closed in the same moment, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const WALLET = { _id: 'w', userId: 'ada', balance: 5, isActive: true } as Wallet;

interface State {
  exists?: boolean;
  wallet?: Wallet | undefined;
  /** The outcome of each posting, in order. */
  postings?: (Error | string)[];
  isNew?: boolean;
  before?: object | undefined;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const wallet = 'wallet' in state ? state.wallet : WALLET;
  const rules = walletRules({
    store: {
      findAll: async (ids: string[]) => ids.map(() => wallet),
      get: async () => WALLET,
      heldKeys: async () => 7,
      balanceAt: async () => ({ balance: 3, balanceUSD: 3 }),
      setFlags: async (_tx: unknown, _id: string, flags: object) => {
        done.push(['flags', flags]);
        return 'before' in state ? state.before : { locked: false, isActive: true };
      },
    } as never,
    ledger: {
      post: async () => {
        done.push(['post']);
        const outcome = state.postings?.shift() ?? 'posted';
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      ensureAccount: async (_tx: unknown, kind: string, userId: string) => {
        done.push(['account', kind, userId]);
        return state.isNew !== false;
      },
    } as never,
    users: {
      exists: async () => state.exists !== false,
      keep: async () => state.exists !== false,
    } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    audit: {
      record: async (_tx: unknown, { action, target, changes, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, changes, details]),
    } as never,
    clock: manualClock(AT.getTime()),
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      (result) => result,
      ({ code, message }: Failure) => (code === 'NOT_FOUND' ? message : code),
    );
  return { rules, done, codeOf };
}
const NO_USER = 'User not found';
const draft = {} as TransactionDraft;

test('a wallet is created on first use, for a member who exists, and by whom is recorded', async () => {
  const { rules, done } = ruling();
  assert.deepEqual(await rules.ensure('ada'), { wallet: WALLET, isNew: true });
  await rules.ensure('ada', { actor: { actor: 'root' } });
  const account = ['account', 'wallet', 'ada'];
  assert.deepEqual(done, [account, account, ['audit', 'wallet.created', 'ada', undefined, undefined]]);
  const again = ruling({ isNew: false });
  await again.rules.ensure('ada', { actor: { actor: 'root' } });
  assert.deepEqual(again.done, [account]);
  const gone = ruling({ exists: false });
  assert.equal(await gone.codeOf(gone.rules.ensure('ada')), NO_USER);
  assert.deepEqual(gone.done, []);
});

test('a wallet is inspected with what is held, and a missing one says whether its member exists', async () => {
  const { rules } = ruling();
  assert.deepEqual(await rules.inspect('ada'), { ...WALLET, heldKeys: 7 });
  assert.deepEqual(await rules.balanceAt('ada', AT), { ...WALLET, balance: 3, balanceUSD: 3 });
  const none = ruling({ wallet: undefined });
  assert.equal(await none.codeOf(none.rules.inspect('ada')), 'WALLET_NOT_FOUND');
  assert.equal(await none.codeOf(none.rules.ofUser('ada')), 'WALLET_NOT_FOUND');
  const gone = ruling({ wallet: undefined, exists: false });
  assert.equal(await gone.codeOf(gone.rules.inspect('ada')), NO_USER);
});

test('a wallet is locked unless it is missing or its member is being deleted', async () => {
  const { rules, done } = ruling();
  assert.equal(await rules.setFlags('ada', { locked: true } as never, { actor: 'root' }), WALLET);
  assert.deepEqual(done, [
    ['flags', { locked: true }],
    ['audit', 'wallet.changed', 'ada', { locked: [false, true] }, { locked: true }],
  ]);
  for (const [state, message] of [
    [{ before: undefined }, 'WALLET_NOT_FOUND'],
    [{ exists: false }, NO_USER],
  ] as [State, string][]) {
    const refused = ruling(state);
    const locked = refused.codeOf(
      refused.rules.setFlags('ada', { locked: true } as never, { actor: 'root' }),
    );
    assert.equal(await locked, message);
    assert.equal(refused.done.length, 1, 'nothing is recorded');
  }
});

test('a posting to somebody without a wallet creates it, and is tried once more', async () => {
  const missing = () => recipientWithoutWallet();
  const { rules, done } = ruling({ postings: [missing(), 'posted'] });
  assert.equal(await rules.postTo('ada', draft), 'posted');
  assert.deepEqual(done, [['post'], ['account', 'wallet', 'ada'], ['post']]);
  const hold = ruling({ postings: [missing(), 'posted'] });
  assert.equal(await hold.rules.postToHold('ada', draft), 'posted');
  assert.deepEqual(hold.done[1], ['account', 'hold', 'ada']);
  const other = failure(400, 'OTHER', 'Other');
  const refused = ruling({ postings: [other()] });
  assert.equal(await refused.codeOf(refused.rules.postTo('ada', draft)), 'OTHER');
  assert.deepEqual(refused.done, [['post']]);
});

test('the closed wallet of a deleted member is said to have no member, and that of another what it is', async () => {
  for (const closed of [walletInactive, walletLocked, recipientUnavailable]) {
    const own = ruling({ postings: [closed()] });
    assert.equal(await own.codeOf(own.rules.postTo('ada', draft)), closed().code);
    const gone = ruling({ postings: [closed()], exists: false });
    assert.equal(await gone.codeOf(gone.rules.postTo('ada', draft)), NO_USER);
  }
  const other = failure(400, 'OTHER', 'Other');
  const gone = ruling({ postings: [other()], exists: false });
  assert.equal(await gone.codeOf(gone.rules.postTo('ada', draft)), 'OTHER');
});

test('with an account its wallet is closed, once its Keys are withdrawn, given up or were none', async () => {
  const close = async (remainingKeys: string, { balance = 0, held = 0, hasWallet = true } = {}) => {
    const done: unknown[][] = [];
    const [subscription] = walletClosing({
      store: {
        setFlags: async (_tx: unknown, userId: string, flags: object) => done.push(['flags', userId, flags]),
        findAll: async () => [hasWallet ? { ...WALLET, balance } : undefined],
        heldKeys: async () => held,
      } as never,
      withdrawals: {
        requestRemainingIn: async (_tx, userId, { description }) =>
          void done.push(['withdraw', userId, description]) as undefined,
      },
      ledger: {
        balanceIn: async () => balance,
        postIn: async (_tx: unknown, one: TransactionDraft) => {
          const { type, status, from, to, fromUserId, toUserId, amount, metadata, despiteLocks } = one;
          assert.deepEqual([type, status, fromUserId, toUserId], ['refund', 'completed', 'ada', null]);
          done.push(['post', from, to, amount, metadata, despiteLocks]);
        },
      } as never,
      clock: manualClock(AT.getTime()),
    }) as unknown as [{ handleInTransaction: (events: object[], tx: unknown) => Promise<void> }];
    const event = { data: { userId: 'ada', remainingKeys } };
    const code = await subscription.handleInTransaction([event], 'tx').then(
      () => undefined,
      (error: Failure) => error.code,
    );
    return [code, ...done];
  };
  const closed = ['flags', 'ada', { isActive: false }];
  assert.deepEqual(await close('withdraw', { balance: 5 }), [
    undefined,
    ['withdraw', 'ada', 'Account deleted'],
    closed,
  ]);
  assert.deepEqual(await close('forfeit', { balance: 5, held: 5 }), [
    undefined,
    ['post', 'wallet:ada', 'issued', 5, { forfeited: true }, true],
    closed,
  ]);
  assert.deepEqual(await close('forfeit'), [undefined, closed]);
  assert.deepEqual(await close('none'), [undefined, closed]);
  assert.deepEqual(await close('none', { hasWallet: false }), [undefined, closed]);
  assert.deepEqual(await close('none', { balance: 1 }), ['WALLET_NOT_EMPTY', closed]);
  assert.deepEqual(await close('none', { held: 1 }), ['WITHDRAWAL_PENDING', closed]);
});
