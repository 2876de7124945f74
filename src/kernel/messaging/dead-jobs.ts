import type { Database } from '../database/database.ts';
import { boundedTotal, MOST_COUNTED, offsetOf, type Page, type PageRequest } from '../database/pagination.ts';
import type { Transaction } from '../database/queries.ts';
import { redact, redactText } from '../text/redaction.ts';
import { traceFrom } from '../trace.ts';
import { deadLetterOf } from './dead-letters.ts';

/** A job that has no attempts left, as operators see it. */
export interface DeadJob {
  id: string;
  /** Without secrets, and shortened. */
  data: unknown;
  error: string | null;
  attempts: number;
  traceId: string | null;
  failedAt: Date;
}

interface Row {
  id: string;
  data: Record<string, unknown> | null;
  output: unknown;
  attempts: number;
  failedAt: Date;
}

type Place = NonNullable<PageRequest['after']>;

/** As exact as the instant in the answer, from which a client continues. */
const DIED_AT = `date_trunc('milliseconds', created_on)`;

const DEAD = `from jobs.job where name = $1 and state < 'active' and not blocked`;

/** Reads and deletes the jobs in dead-letter queues, each of which is named by the queue that it belongs to. */
export const deadJobs = (database: Database) => ({
  /**
   * Returns dead jobs, those that died last first. Continues after a moment with a job, whatever became of it, or after
   * the id of one that is dead; undefined if there is no such job.
   */
  async pageOf(
    queue: string,
    { before, after, ...request }: PageRequest,
  ): Promise<Page<DeadJob> | undefined> {
    const name = deadLetterOf(queue);
    const place =
      after ??
      (before !== undefined &&
        (await database.first<Place>(`select ${DIED_AT} as at, id ${DEAD} and id = $2`, [name, before])));
    if (place === undefined) return undefined;
    const [counted, rows] = await Promise.all([
      database.count(`select count(*) from (select ${DEAD} limit ${MOST_COUNTED + 1}) counted`, [name]),
      database.all<Row>(
        `select id, data, source_output as output, coalesce(source_retry_count, 0) + 1 as attempts,
           ${DIED_AT} as failed_at ${DEAD}
           and ($2::timestamptz is null or (${DIED_AT}, id) < ($2, $3::uuid))
         order by ${DIED_AT} desc, id desc limit $4 offset $5`,
        [
          name,
          ...(place
            ? [place.at, place.id, request.limit, 0]
            : [null, null, request.limit, offsetOf(request)]),
        ],
      ),
    ]);
    return { ...request, items: rows.map(viewOf), ...boundedTotal(counted) };
  },
  /** Returns whether a job is dead; if so, locks it until the transaction ends. */
  async lock(tx: Transaction, queue: string, id: string): Promise<boolean> {
    const found = await tx.first(`select 1 as found ${DEAD} and id = $2 for update`, [
      deadLetterOf(queue),
      id,
    ]);
    return found !== undefined;
  },
  async delete(tx: Transaction, queue: string, id: string): Promise<void> {
    await tx.execute('delete from jobs.job where name = $1 and id = $2', [deadLetterOf(queue), id]);
  },
});

export type DeadJobs = ReturnType<typeof deadJobs>;

function viewOf({ data, output, ...row }: Row): DeadJob {
  const { traceparent, $version: _, ...own } = data ?? {};
  return {
    ...row,
    data: redact(own),
    error: errorIn(output),
    traceId: traceFrom(traceparent)?.traceId ?? null,
  };
}

function errorIn(output: unknown): string | null {
  if (typeof output !== 'object' || output === null) return null;
  const { message } = output as { message?: unknown };
  return redactText(typeof message === 'string' ? message : JSON.stringify(output));
}
