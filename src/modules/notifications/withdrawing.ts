import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { highestIdAt, lowestIdAt } from '../../kernel/ids.ts';
import { job } from '../../kernel/messaging/jobs.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { Withdrawal } from './contract.ts';
import { withdraw } from './notifications.jobs.ts';
import { withdrawSome } from './withdrawing.store.ts';

/** An audience is notified within seconds, and after an outage of the workers within this time. */
const FAN_OUT_ENDS_MS = 2 * DAY_MS;
/** When it is looked again for what parts of a fan-out that was under way have added. */
const AGAIN_SECONDS = 600;

/** Deletes the notifications about content that was removed. */
export function withdrawing({ database, jobs, clock }: Pick<Core, 'database' | 'jobs' | 'clock'>) {
  /** Returns the notifications to look at, and whether more of them may still be written. */
  function scopeOf({ about, since, to: userId }: Withdrawal) {
    const all = Object.entries(about).map(([idName, id]) => ({ idName, id, userId }));
    const fanOutEnds = since.getTime() + FAN_OUT_ENDS_MS;
    const soon = clock.now() + AGAIN_SECONDS * SECOND_MS;
    const mayGrow = soon < fanOutEnds;
    const upTo = highestIdAt(new Date(userId || mayGrow ? soon : fanOutEnds));
    return { data: all.map((one) => ({ ...one, after: lowestIdAt(since), upTo })), mayGrow };
  }

  return {
    /** Deletes them soon after the transaction; recent ones once more when all have certainly been written. */
    async withdrawIn(tx: Transaction, withdrawals: Withdrawal[]): Promise<void> {
      for (const { data, mayGrow } of withdrawals.map(scopeOf)) {
        await jobs.enqueue(tx, withdraw, data);
        if (mayGrow) await jobs.enqueue(tx, withdraw, data, { afterSeconds: AGAIN_SECONDS });
      }
    },
    jobs: [
      job(withdraw, {
        concurrency: 1,
        run: async ({ after: first, ...which }) => {
          for (let after: string | undefined = first; after !== undefined; )
            after = await withdrawSome(database, { ...which, after });
        },
      }),
    ],
  };
}
