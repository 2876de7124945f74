import type { Queries } from '../../kernel/database/queries.ts';
import type { Source } from './names.model.ts';

/** SQL of funnels beside that of packed events. */
export const funnelStore = {
  /** Returns the numbers of the event names that are steps, with the place of the step from 0. */
  steps: (
    queries: Queries,
    eventSequence: string[],
    source: Source,
  ): Promise<{ no: number; step: number }[]> =>
    queries.all(
      `select n.no, s.place::integer - 1 as step from unnest($1::text[]) with ordinality as s (name, place)
       join analytics.reported n on n.name = s.name and ($2 = 'all' or n.source = $2)`,
      [eventSequence, source],
    ),

  /**
   * Returns an upper bound of members' numbers, including those of erased members. The view takes no more than `usage` of
   * the sequence, which a user has who may do no more than the platform needs.
   */
  lastMember: (queries: Queries): Promise<number> =>
    queries.count(
      `select coalesce(max(last_value), 0) from pg_sequences
       where schemaname = 'analytics' and sequencename = 'person_no_seq'`,
    ),
};
