import { MOST_COUNTED } from './pagination.ts';
import type { Queries } from './queries.ts';

/**
 * The number of items that wait for a person, counted up to {@link MOST_COUNTED}, and when the oldest began to wait.
 */
export interface Backlog {
  count: number;
  oldestAt: Date | null;
}

/**
 * @param waiting a query whose only column `at` is the time at which an item began to wait, oldest first; an index
 * must provide this order
 */
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
