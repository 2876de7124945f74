import type { Database } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import { PATIENCE_MS } from './live.ts';

/**
 * Runs a transaction without the limit for idle transactions, so that it holds its locks for as long as `work` takes.
 */
export const holding = <T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.execute('set local idle_in_transaction_session_timeout = 0');
    return work(tx);
  });

/**
 * Repeats a request that waited too long for a lock, as clients do: three seconds are little on a busy machine. Such a
 * request has changed nothing.
 */
export async function untilAvailable<Answer extends { status: number }>(
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const answer = await attempt();
    if (answer.status !== 503 || Date.now() > deadline) return answer;
  }
}
