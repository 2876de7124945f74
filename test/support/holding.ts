import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import { PATIENCE_MS, until } from './live.ts';

/**
 * Runs a transaction without the limit for idle transactions, so that it holds its locks for as long as `work` takes.
 */
export const holding = <T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.execute('set local idle_in_transaction_session_timeout = 0');
    return work(tx);
  });

const PAUSE_MS = 50;

/**
 * Repeats a request that waited too long for a lock or a connection, as clients do: three seconds are little on a busy
 * machine. Such a request has changed nothing. One that could take effect again, such as a transfer that a test counts,
 * should have an `Idempotency-Key`: the answer to a commit may be late, too.
 */
export async function untilAvailable<Answer extends { status: number }>(
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    const answer = await attempt();
    if (answer.status !== 503 || Date.now() > deadline) return answer;
  }
}

const ROUNDS = 10;

/**
 * Makes requests ten times beside others that wait for a lock, and asserts that they succeed without waiting for it, too.
 * On a busy machine those that wait may be refused first, because their three seconds are over: such a round proves
 * nothing, and is repeated beside new ones.
 * @param wait begins the requests that wait for a lock which the test holds
 * @returns the answers to those that still wait
 */
export async function besideWaiting<Answer extends { status: number }>(
  wait: () => Promise<Promise<Answer>[]>,
  others: () => Promise<{ status: number }[]>,
): Promise<Promise<Answer>[]> {
  let waiting: Promise<Answer>[] = [];
  let rounds = 0;
  await until(async () => {
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 503, 'the lock is held');
    waiting = await wait();
    let answered = 0;
    const count = () => answered++;
    for (const one of waiting) one.then(count, count);
    for (; rounds < ROUNDS; rounds++) {
      const statuses = (await others()).map(({ status }) => status);
      const allowed = answered > 0 ? [201, 503] : [201];
      assert.ok(
        statuses.every((status) => allowed.includes(status)),
        `${statuses}`,
      );
      if (answered > 0) return false;
    }
    return true;
  }, 'requests that need not wait');
  return waiting;
}
