import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../kernel/failures.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import type { TransactionDraft } from './drafts.ts';
import { postingAtOnce } from './posting-at-once.ts';

// Which batches are posted in one statement, and what is remembered after it, without a database.

const AT = new Date('2026-03-01T12:00:00Z');
const NAMES = ['wallet:ada', 'wallet:ben'] as const;
const rowOf = (name: string) => ({
  name,
  id: `id of ${name}`,
  balance: 100,
  lastSeq: 1,
  received: '100',
  hash: Buffer.from('h'),
  isActive: true,
  locked: false,
  updatedAt: AT,
});
const draftOf = (fields: Partial<TransactionDraft> = {}) =>
  ({
    type: 'transfer',
    status: 'completed',
    from: NAMES[0],
    to: NAMES[1],
    fromUserId: 'ada',
    toUserId: 'ben',
    amount: 5,
    description: '',
    metadata: {},
    ...fields,
  }) as TransactionDraft;

interface State {
  maxRemembered?: number;
  /** What each statement affects or throws, in order; one row after the last. */
  written?: (number | Error)[];
  hasNoOutbox?: boolean;
}
function posting(state: State = {}) {
  const done: unknown[][] = [];
  let ids = 0;
  const atOnce = postingAtOnce({
    database: {
      all: async (_statement: unknown, [names]: [string[]]) => {
        done.push(['read', ...names]);
        return names.map(rowOf);
      },
      execute: async () => {
        const next = state.written?.shift() ?? 1;
        done.push(['write']);
        if (next instanceof Error) throw next;
        return next;
      },
    } as never,
    events: {
      outboxRows: (all: object[]) => {
        if (state.hasNoOutbox) return undefined;
        done.push(['tell', all.length]);
        return [];
      },
    } as never,
    clock: manualClock(AT.getTime()),
    newId: () => `t${++ids}`,
    maxRemembered: state.maxRemembered ?? 10,
  });
  const post = async (...drafts: TransactionDraft[]) =>
    (await atOnce.post(drafts))?.map((one) => (one instanceof Failure ? one.code : one.from.balanceAfter));
  return { ...atOnce, post, done };
}
const kinds = (done: unknown[][]) => done.map(([what]) => what);

test('plain transfers are posted at once, and the states of their accounts are remembered', async () => {
  const { post, done, batches } = posting();
  assert.deepEqual(await post(draftOf(), draftOf()), [95, 90]);
  assert.deepEqual(await post(draftOf()), [85]);
  assert.deepEqual(done, [['read', ...NAMES], ['tell', 0], ['write'], ['tell', 0], ['write']]);
  assert.deepEqual(batches, { posted: 2, stale: 0 });
  const announced = posting();
  await announced.post(draftOf({ announce: () => ({}) as never }));
  assert.deepEqual(announced.done[1], ['tell', 1]);
});

test('whatever is no plain transfer, or could be refused, is posted under locks', async () => {
  const nothing = async () => undefined;
  for (const fields of [
    { type: 'fund' },
    { status: 'pending' },
    { admit: nothing },
    { also: nothing },
    { despiteLocks: true },
    { admit: nothing, also: nothing },
  ] as Partial<TransactionDraft>[]) {
    const { post, done } = posting();
    assert.equal(await post(draftOf(), draftOf(fields)), undefined, Object.keys(fields).join());
    assert.deepEqual(done, []);
  }
  const tooMuch = posting();
  assert.equal(await tooMuch.post(draftOf(), draftOf({ amount: 96 })), undefined);
  assert.deepEqual(kinds(tooMuch.done), ['read']);
  assert.deepEqual(await tooMuch.post(draftOf()), [95], 'what was tried is not remembered');
  const silent = posting({ hasNoOutbox: true });
  assert.equal(await silent.post(draftOf()), undefined);
  assert.deepEqual(kinds(silent.done), ['read']);
  const off = posting({ maxRemembered: 0 });
  assert.deepEqual([await off.post(draftOf()), off.done], [undefined, []]);
});

test('after a stale state nothing is posted at once for a second, and both accounts are read again', async (t) => {
  let nowMs = 5_000;
  t.mock.method(performance, 'now', () => nowMs);
  for (const stale of [0, Object.assign(new Error('x'), { code: '23505' })]) {
    const { post, done, batches } = posting({ written: [1, stale] });
    await post(draftOf());
    assert.equal(await post(draftOf()), undefined);
    assert.deepEqual(batches, { posted: 1, stale: 1 });
    nowMs += 999;
    assert.equal(await post(draftOf()), undefined);
    assert.equal(kinds(done).filter((what) => what === 'write').length, 2, 'it does not try');
    nowMs += 1;
    assert.deepEqual(await post(draftOf()), [95]);
    assert.deepEqual(done.at(-3), ['read', ...NAMES]);
    nowMs += 10_000;
  }
});

test('if it is unknown whether a batch was written, everything that was remembered is dropped', async () => {
  const lost = new Error('the connection was lost');
  const { post, done } = posting({ written: [1, lost] });
  await post(draftOf());
  await assert.rejects(post(draftOf()), lost);
  await post(draftOf());
  assert.equal(kinds(done).filter((what) => what === 'read').length, 2);
});

test('what other transactions have posted is remembered or dropped as they say', async () => {
  const { post, done, remember, forget } = posting();
  const state = { ...rowOf(NAMES[0]), balance: 50, received: 100n };
  remember(new Map([[NAMES[0], state as never]]));
  assert.deepEqual(await post(draftOf()), [45]);
  assert.deepEqual(done[0], ['read', NAMES[1]]);
  assert.equal(state.balance, 50, 'as it was given');
  forget([NAMES[1]]);
  assert.deepEqual(await post(draftOf()), [40]);
  assert.deepEqual(done.filter(([what]) => what === 'read').at(-1), ['read', NAMES[1]]);
  const off = posting({ maxRemembered: 0 });
  off.remember(new Map([[NAMES[0], state as never]]));
  assert.equal(await off.post(draftOf()), undefined);
});
