import { cachedFor } from '../concurrency/cached-for.ts';
import { withinTime } from '../concurrency/deadline.ts';
import { SECOND_MS } from '../time/time.ts';
import type { Database } from './database.ts';
import { statement } from './queries.ts';

/** Above the interval of scrapes, which renew the lease. Then another process takes over. */
const LEASE_SECONDS = 60;
const RENEWAL_MS = 5 * SECOND_MS;
/** A scrape must end before its reader gives up, also while the database does not answer. */
const ANSWER_MS = SECOND_MS;

const claim = statement<{ process: string }>(
  'kernel.claim-metrics-reporter',
  `insert into kernel.metrics_reporter as held (process, until) values ($1, now() + interval '${LEASE_SECONDS} seconds')
   on conflict (is_reporter) do update set process = excluded.process, until = excluded.until
     where held.process = excluded.process or held.until < now()
   returning process`,
);
const release = statement<never>(
  'kernel.release-metrics-reporter',
  'delete from kernel.metrics_reporter where process = $1',
);

/**
 * Chooses the one process whose metrics tell of the whole installation, so that sums over all processes are right: the
 * first that is scraped, for as long as it is.
 */
export function metricsReporter(database: Pick<Database, 'first' | 'execute'>, node: string) {
  const ask = cachedFor(RENEWAL_MS, () =>
    withinTime(ANSWER_MS, database.first(claim, [node])).then((held) => held !== undefined),
  );
  let hasAsked = false;
  return {
    /** Returns whether this process is the one; false while the database does not answer. */
    isReporter: async (): Promise<boolean> => {
      hasAsked = true;
      return ask().catch(() => false);
    },
    /** Leaves the place to another process, when this one stops. */
    leave: async (): Promise<void> => {
      if (hasAsked) await database.execute(release, [node]).catch(() => undefined);
    },
  };
}
