import type { Queries } from '../../kernel/database/queries.ts';
import type { Source } from './names.model.ts';

/** Parameters of a funnel query; the end is excluded. */
export interface FunnelQuestion {
  eventSequence: string[];
  source: Source;
  from: Date;
  to: Date;
  windowMs: number;
}

/**
 * Reads the events of each member once, sorted by time; see `analytics.depth`. Both indexes of events cover it.
 * @returns the number of members by the furthest step that they reached
 */
export const funnelDepths = (
  queries: Queries,
  { eventSequence, source, from, to, windowMs }: FunnelQuestion,
): Promise<{ depth: number; members: number }[]> =>
  queries.all(
    `with step as (
       select n.no, s.step from unnest($1::text[]) with ordinality as s (name, step)
       join analytics.reported n on n.name = s.name and ($2 = 'all' or n.source = $2)),
     reached as (
       select e.person, analytics.depth(
         array_agg(((date_part('epoch', e.occurred_at) * 1000)::bigint << 5) | (31 - step.step)
           order by ((date_part('epoch', e.occurred_at) * 1000)::bigint << 5) | (31 - step.step)),
         $5::bigint, $6::integer) as depth
       from analytics.event e join step on step.no = e.name
       where e.name = any((select array_agg(no) from step)::smallint[])
         and e.occurred_at >= $3 and e.occurred_at < $4
       group by e.person)
     select depth, count(*) as members from reached where depth > 0 group by depth`,
    [eventSequence, source, from, to, windowMs, eventSequence.length],
  );
