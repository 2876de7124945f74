import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentUnavailable } from '../../external/payment/port.ts';
import type { Due } from './due.model.ts';
import { reconciling } from './reconciling.ts';

// Which items are looked at, postponed and reported, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');

/** Reconciles batches of items, given as their attempts so far; each look does what `look` says of its id. */
async function reconcile(batches: number[][], look: (id: string) => Promise<void> = async () => undefined) {
  const done: string[] = [];
  const [warned, failed]: [object[], object[]] = [[], []];
  const left = batches.map((batch, round) =>
    batch.map((attempts, place) => ({ id: `${round}${place}`, attempts }) as Due),
  );
  await reconciling<Due>({
    store: {
      take: async (most: number, at: Date) => {
        assert.deepEqual([most, at], [4, AT]);
        done.push('take');
        return left.shift() ?? [];
      },
    },
    look: async ({ id }) => look(id),
    attempts: {
      what: 'checkout',
      postponed: async (id, { message }) => void done.push(`postpone ${id}: ${message}`),
      succeeded: async (id) => void done.push(`clear ${id}`),
    },
    clock: { now: () => AT.getTime() } as never,
    log: {
      warn: (facts: object) => warned.push(facts),
      error: (facts: object) => failed.push(facts),
    } as never,
  })();
  return { done, warned, failed };
}
const failing =
  (ids: string[], error = new Error('no answer')) =>
  async (id: string) => {
    if (ids.includes(id)) throw error;
  };

test('items are looked at in batches until none is due, and earlier failures are forgotten', async () => {
  const { done } = await reconcile([[0, 1], [0]]);
  assert.deepEqual(done, ['take', 'clear 01', 'take', 'take']);
});

test('an item that fails is postponed and logged', async () => {
  const { done, warned, failed } = await reconcile([[0, 4, 5, 9], [0]], failing(['00', '01', '02', '03']));
  assert.deepEqual(done.toSorted(), [
    ...['00', '01', '02', '03'].map((id) => `postpone ${id}: no answer`),
    ...['take', 'take', 'take'],
  ]);
  assert.deepEqual(warned, []);
  assert.deepEqual(failed[1], { checkout: '01', attempts: 5, error: 'no answer' });
});

test('while the provider is unavailable for all of a batch, the rest waits', async () => {
  const away = paymentUnavailable();
  const all = await reconcile([[4, 4], [0]], failing(['00', '01'], away));
  assert.deepEqual(
    all.done.filter((one) => one === 'take'),
    ['take'],
  );
  assert.deepEqual([all.warned.length, all.failed.length], [2, 0]);
  const some = await reconcile([[4, 0], [0]], failing(['00'], away));
  assert.equal(some.done.filter((one) => one === 'take').length, 3);
});
