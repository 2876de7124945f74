import type { Core } from '../../kernel/core.ts';
import { chunks } from '../../kernel/database/chunks.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { highestIdAt, lowestIdAt } from '../../kernel/ids.ts';
import { job } from '../../kernel/messaging/jobs.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { Withdrawal } from './contract.ts';
import { announceDeleted, type WithdrawData, withdraw } from './notifications.jobs.ts';
import { withdrawSome } from './withdrawing.store.ts';

/** An audience is notified within seconds, and after an outage of the workers within this time. */
const FAN_OUT_ENDS_MS = 2 * DAY_MS;
/** Looks of one job, each of some milliseconds; the rest is left to another job, so that others have their turn. */
const LOOKS_AT_ONCE = 20;
/** Deleted notifications of which one job tells connected members. */
const TOLD_AT_ONCE = 500;

/** Deletes the notifications that removed content has caused. */
export function withdrawing({ jobs, clock }: Pick<Core, 'jobs' | 'clock'>) {
  /** Deletes what is withdrawn by some jobs, whose stretches may overlap, and leaves the rest to further jobs. */
  async function look(tx: Transaction, all: WithdrawData[]): Promise<void> {
    let rest = all;
    for (let looks = 0; looks < LOOKS_AT_ONCE; looks++) {
      const [first] = rest.toSorted((a, b) => (a.after < b.after ? -1 : 1));
      if (!first) return;
      const { gone, last } = await withdrawSome(tx, first, rest);
      const reached = last ?? first.upTo;
      const parts = [...chunks(gone, TOLD_AT_ONCE)].map((deleted) => ({ deleted }));
      await jobs.enqueue(tx, announceDeleted, parts);
      // Each row was compared with all of them, so that those whose stretch has begun go on from there, too.
      rest = rest
        .map((one) => (one.after < reached ? { ...one, after: reached } : one))
        .filter((one) => one.after < one.upTo);
    }
    await jobs.enqueue(tx, withdraw, rest);
  }

  return {
    /** Deletes them soon after the transaction, and looks again for what parts of a fan-out add later. */
    async withdrawIn(tx: Transaction, withdrawals: Withdrawal[]): Promise<void> {
      const now = clock.now();
      const due = withdrawals.flatMap(({ of, about, since, to, until }) => {
        const endsAt = until?.getTime() ?? (to ? now : since.getTime()) + FAN_OUT_ENDS_MS;
        const stretch = { after: lowestIdAt(since), upTo: highestIdAt(new Date(endsAt)) };
        const data: WithdrawData[] = Object.entries(about).map(([idName, id]) => ({
          event: of.name,
          idName,
          id,
          userId: to,
          ...stretch,
        }));
        const leftMs = endsAt - now;
        const later = [MINUTE_MS, leftMs].filter((ms) => ms > 0 && ms <= leftMs);
        return [0, ...later].map((afterMs) => ({ afterSeconds: Math.ceil(afterMs / SECOND_MS), data }));
      });
      for (const [afterSeconds, alike] of Map.groupBy(due, (one) => one.afterSeconds))
        await jobs.enqueue(
          tx,
          withdraw,
          alike.flatMap(({ data }) => data),
          { afterSeconds },
        );
    },
    jobs: [
      job(withdraw, {
        concurrency: 1,
        takes: 100,
        runAllIn: async (tx, all) => {
          for (const [, alike] of Map.groupBy(all, ({ userId }) => userId)) await look(tx, alike);
        },
      }),
    ],
  };
}
