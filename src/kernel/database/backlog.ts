import { MOST_COUNTED } from './pagination.ts';
import type { Queries } from './queries.ts';

/** How many things wait for a person, at most {@link MOST_COUNTED}, and since when the oldest of them does. */
export interface Backlog {
  count: number;
  oldestAt: Date | null;
}

/** @param waiting a query whose only column is `at`, since when something waits; the oldest first, by an index */
export async function readBacklog(
  queries: Queries,
  waiting: string,
  values: unknown[] = [],
): Promise<Backlog> {
  const found = await queries.first<Backlog>(
    `select count(*)::integer as count, min(at) as oldest_at from (${waiting} limit ${MOST_COUNTED}) as waiting`,
    values,
  );
  return found ?? { count: 0, oldestAt: null };
}
