import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../kernel/failures.ts';
import { applyDrafts, latest, type TransactionDraft } from './drafts.ts';
import { isRefused } from './ledger.faults.ts';
import type { AccountName, AccountState, Posting } from './postings.model.ts';
import { move } from './postings.ts';

// Which movements are accepted, up to the last Key, and what they make of both accounts.

const AT = new Date('2026-03-01T12:00:00Z');
const MOST = Number.MAX_SAFE_INTEGER;
const MOST_RECEIVED = 2n ** 63n - 1n;
const accountOf = (fields: Partial<AccountState> = {}): AccountState =>
  ({
    id: 'id',
    balance: 100,
    received: 100n,
    lastSeq: 1,
    hash: Buffer.from('h'),
    isActive: true,
    locked: false,
    updatedAt: AT,
    ...fields,
  }) as AccountState;
type Fields = Partial<AccountState>;

/** Moves Keys between two accounts; returns the failure, or both entries with the states afterwards. */
function moved(posting: Partial<Posting>, source: Fields | null = {}, target: Fields | null = {}) {
  const { from = 'wallet:ada', to = 'wallet:ben' } = posting;
  const accounts = new Map<AccountName, AccountState>();
  if (source) accounts.set(from, accountOf({ id: 'source', ...source }));
  if (target) accounts.set(to, accountOf({ id: 'target', ...target }));
  const before = JSON.stringify([...accounts.values()].map(({ balance, lastSeq }) => [balance, lastSeq]));
  const result = move(accounts, { from, to, amount: 10, ...posting }, (previous, { seq }) =>
    Buffer.from(`${previous} ${seq}`),
  );
  const after = JSON.stringify([...accounts.values()].map(({ balance, lastSeq }) => [balance, lastSeq]));
  if (result instanceof Failure) assert.equal(after, before, 'a refusal changes nothing');
  return result instanceof Failure ? `${result.status} ${result.code}` : result;
}

test('a movement takes from one account and adds to the other, each in a chain of its own', () => {
  const { from, to } = moved({}, {}, { balance: 5, received: 7n, lastSeq: 4 }) as Exclude<
    ReturnType<typeof moved>,
    string
  >;
  assert.deepEqual(
    [from, to],
    [
      {
        accountId: 'source',
        seq: 2,
        amount: -10,
        balanceBefore: 100,
        balanceAfter: 90,
        received: 100n,
        hash: Buffer.from('h 2'),
      },
      {
        accountId: 'target',
        seq: 5,
        amount: 10,
        balanceBefore: 5,
        balanceAfter: 15,
        received: 17n,
        hash: Buffer.from('h 5'),
      },
    ],
  );
});

test('a movement is refused for what is missing, closed or not enough, and beyond what can be counted', () => {
  const [locked, inactive] = [{ locked: true }, { isActive: false }];
  const issued = { from: 'issued' } as const;
  for (const [posting, source, target, code] of [
    [{}, null, {}, '404 WALLET_NOT_FOUND'],
    [{}, {}, null, '404 RECIPIENT_WITHOUT_WALLET'],
    [{}, locked, {}, '403 WALLET_LOCKED'],
    [{}, inactive, {}, '403 WALLET_INACTIVE'],
    [{}, { ...locked, ...inactive }, {}, '403 WALLET_LOCKED'],
    [{}, { balance: 9 }, {}, '400 INSUFFICIENT_BALANCE'],
    [{}, { balance: 9 }, null, '400 INSUFFICIENT_BALANCE'],
    [{}, { balance: 10 }, {}, undefined],
    [{}, {}, locked, '403 RECIPIENT_UNAVAILABLE'],
    [{}, {}, inactive, '403 RECIPIENT_UNAVAILABLE'],
    [issued, {}, locked, '403 WALLET_LOCKED'],
    [issued, {}, inactive, '403 WALLET_INACTIVE'],
    [issued, { balance: 10 - MOST }, {}, undefined],
    [issued, { balance: 9 - MOST }, {}, '400 BALANCE_LIMIT_EXCEEDED'],
    [issued, { balance: 0 }, {}, undefined],
    [{ ...issued, circulationUpTo: 25 }, { balance: -15 }, {}, undefined],
    [{ ...issued, circulationUpTo: 25 }, { balance: -16 }, {}, '409 CIRCULATION_LIMIT_EXCEEDED'],
    [{ ...issued, circulationUpTo: 25 }, { balance: -26 }, {}, '409 CIRCULATION_LIMIT_EXCEEDED'],
    [{ ...issued, circulationUpTo: 25 }, { balance: -26 }, locked, '403 WALLET_LOCKED'],
    [{ ...issued, circulationUpTo: 25 }, { balance: -26 }, inactive, '403 WALLET_INACTIVE'],
    [{}, {}, { balance: MOST - 10 }, undefined],
    [{}, {}, { balance: MOST - 9 }, '400 BALANCE_LIMIT_EXCEEDED'],
    [{}, {}, { received: MOST_RECEIVED - 10n }, undefined],
    [{}, {}, { received: MOST_RECEIVED - 9n }, '400 VOLUME_LIMIT_EXCEEDED'],
  ] as [Partial<Posting>, Fields | null, Fields | null, string | undefined][]) {
    const result = moved(posting, source, target);
    const what = JSON.stringify([posting, source, target], (_, one) =>
      typeof one === 'bigint' ? String(one) : one,
    );
    assert.equal(typeof result === 'string' ? result : undefined, code, what);
  }
});

test('a correction moves Keys in spite of locks, but not what is not there', () => {
  const closed = { locked: true, isActive: false };
  assert.notEqual(typeof moved({ despiteLocks: true }, closed, closed), 'string');
  assert.equal(moved({ despiteLocks: true }, { ...closed, balance: 9 }, closed), '400 INSUFFICIENT_BALANCE');
});

test('drafts apply one after the other, and one that is refused leaves the others alone', () => {
  const accounts = new Map<AccountName, AccountState>([
    ['wallet:ada', accountOf({ id: 'ada', balance: 15 })],
    ['wallet:ben', accountOf({ id: 'ben', balance: 0, updatedAt: new Date(AT.getTime() + 5) })],
    ['wallet:cat', accountOf({ id: 'cat', updatedAt: new Date(0) })],
  ]);
  const draft = (from: AccountName, to: AccountName, amount: number) =>
    ({
      type: 'transfer',
      status: 'completed',
      from,
      to,
      fromUserId: null,
      toUserId: null,
      amount,
      description: '',
      metadata: {},
    }) as TransactionDraft;
  let ids = 0;
  const { outcomes, posted, transactions, movements, at } = applyDrafts(
    [
      draft('wallet:ada', 'wallet:ben', 10),
      draft('wallet:ada', 'wallet:ben', 10),
      draft('wallet:ben', 'wallet:ada', 4),
    ],
    accounts,
    { newId: () => `t${++ids}`, nowMs: AT.getTime() },
  );
  assert.deepEqual(
    outcomes.map((one) => (one instanceof Failure ? one.code : one.id)),
    ['t1', 'INSUFFICIENT_BALANCE', 't3'],
  );
  assert.deepEqual(
    [posted.length, transactions.map(({ id }) => id), movements.map(({ transactionId }) => transactionId)],
    [2, ['t1', 't3'], ['t1', 't3']],
  );
  const later = new Date(AT.getTime() + 5);
  assert.deepEqual(at, later, 'not before the newest entry of an account');
  const states = [...accounts.values()].map(({ balance, updatedAt }) => [balance, updatedAt]);
  assert.deepEqual(states, [
    [9, later],
    [6, later],
    [100, new Date(0)],
  ]);
  assert.deepEqual(latest(AT.getTime() + 9, []), new Date(AT.getTime() + 9));
});

test('only an error that proves that nothing was written counts as a refusal', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code });
  for (const [error, isProof] of [
    [coded('23505'), true],
    [coded('P0001'), true],
    [new Failure(400, 'X', 'x'), true],
    [coded('08006'), false],
    [coded('40P01'), false],
    [new Error('P0'), false],
  ] as const)
    assert.equal(isRefused(error), isProof, String(error));
});
