import type { Database } from '../../../kernel/database/database.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { Account, PauseReason } from './account.model.ts';

/**
 * Takes the next slot, unless the account is paused; after a pause, a single call goes first as a probe. With a maximum
 * wait, takes a slot only within it, and never as a probe.
 */
const reserve = statement<{ waitMs: number }>(
  'indicators.reserve-slot',
  `update indicators.account set
     next_call_at = greatest(next_call_at, clock_timestamp()) + $1 * interval '1 millisecond',
     paused_until = case when pause_reason is null then null
       else clock_timestamp() + $2 * interval '1 millisecond' end
   where id = 1 and (paused_until is null or paused_until <= clock_timestamp())
     and ($3::float8 is null
       or (pause_reason is null and next_call_at <= clock_timestamp() + $3 * interval '1 millisecond'))
   returning greatest(0, extract(epoch from next_call_at - clock_timestamp()) * 1000 - $1)::float8 as "waitMs"`,
);

/** Takes the next slot within a maximum wait, whether or not the account is paused. */
const reserveCheck = statement<{ waitMs: number }>(
  'indicators.reserve-check',
  `update indicators.account set
     next_call_at = greatest(next_call_at, clock_timestamp()) + $1 * interval '1 millisecond'
   where id = 1 and next_call_at <= clock_timestamp() + $2 * interval '1 millisecond'
   returning greatest(0, extract(epoch from next_call_at - clock_timestamp()) * 1000 - $1)::float8 as "waitMs"`,
);

const noteSuccess = statement<never>(
  'indicators.note-success',
  `update indicators.account set faults = 0, paused_until = null, pause_reason = null, paused_since = null,
     last_success_at = clock_timestamp()
   where id = 1 and (faults > 0 or pause_reason is not null or last_success_at is null
     or last_success_at < clock_timestamp() - interval '5 seconds')`,
);
/** Records the success of a call that needs no session, which does not show that an expired session is valid again. */
const noteReached = statement<never>(
  'indicators.note-reached',
  `update indicators.account set faults = 0,
     paused_until = case when pause_reason = 'session-over' then paused_until end,
     paused_since = case when pause_reason = 'session-over' then paused_since end,
     pause_reason = case when pause_reason = 'session-over' then pause_reason end
   where id = 1 and (faults > 0 or pause_reason is not null)`,
);

/**
 * SQL of the account at the charting platform: one row through which all processes share its limits. It uses the
 * database's time, because the clocks of processes differ.
 */
export function accountStore(database: Database) {
  return {
    /**
     * Reserves the next call.
     * @returns milliseconds to wait for it; undefined while the account is paused, or if the wait would exceed
     * `maxWaitMs`
     */
    async reserve(intervalMs: number, probeMs: number, maxWaitMs?: number): Promise<number | undefined> {
      return (await database.first(reserve, [intervalMs, probeMs, maxWaitMs ?? null]))?.waitMs;
    },
    /**
     * Reserves a call that checks the session, also while the account is paused.
     * @returns milliseconds to wait for it; undefined if the wait would exceed `maxWaitMs`
     */
    async reserveCheck(intervalMs: number, maxWaitMs: number): Promise<number | undefined> {
      return (await database.first(reserveCheck, [intervalMs, maxWaitMs]))?.waitMs;
    },
    async noteSuccess(): Promise<void> {
      await database.execute(noteSuccess);
    },
    async noteReached(): Promise<void> {
      await database.execute(noteReached);
    },
    /** Counts a failure and returns the number of consecutive failures. */
    async noteFault(tx: Transaction): Promise<number> {
      return tx.count('update indicators.account set faults = faults + 1 where id = 1 returning faults');
    },
    /** Pauses the account; returns whether this reason for the pause is new. */
    async pause(tx: Transaction, reason: PauseReason, forMs: number): Promise<boolean> {
      const before = await tx.first<{ pauseReason: PauseReason | null }>(
        'select pause_reason from indicators.account where id = 1 for update',
      );
      await tx.execute(
        `update indicators.account set pause_reason = $1,
           paused_until = clock_timestamp() + $2 * interval '1 millisecond',
           paused_since = coalesce(paused_since, clock_timestamp())
         where id = 1`,
        [reason, forMs],
      );
      return before?.pauseReason !== reason;
    },
    /** Ends a pause early, when a person asks for another attempt. */
    async endWait(tx: Transaction): Promise<void> {
      await tx.execute(
        `update indicators.account set paused_until = clock_timestamp() where id = 1 and paused_until is not null`,
      );
    },
    async read(): Promise<Account> {
      const found = await database.first<Account>(
        `select faults, paused_until, pause_reason, paused_since, last_success_at from indicators.account where id = 1`,
      );
      return found as Account;
    },
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
