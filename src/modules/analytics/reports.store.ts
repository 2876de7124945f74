import type { Database } from '../../kernel/database/database.ts';
import { countStore, type EventFilter, NAMES, namesOf } from './counts.store.ts';
import { memberStore } from './members.store.ts';
import type { Source } from './names.store.ts';
import type { Span } from './visits.store.ts';

/** An exported event. */
export interface ExportedEvent {
  id: string;
  userId: string | null;
  eventName: string;
  eventType: string;
  source: string;
  timestamp: Date;
  metadata: string;
}

const CHUNK = 2_000;

/** SQL of operators' reports. */
export function reportStore(database: Database) {
  /** Sums over all time, including counts not yet summed up. */
  const sums = (column: 'name' | 'type', source: Source, limit: number) =>
    database.all<{ label: string; count: number }>(
      `select n.${column} as label, sum(c.events)::bigint as count from (
         select name, sum(events) as events from analytics.daily group by name
         union all select name, sum(n) from analytics.delta group by name) c
       join analytics.name n on n.no = c.name where $1 = 'all' or n.source = $1
       group by 1 order by count desc, 1 limit $2`,
      [source, limit],
    );

  return {
    counts: countStore,
    members: memberStore,
    byType: (source: Source, limit: number) => sums('type', source, limit),
    byName: (source: Source, limit: number) => sums('name', source, limit),

    /** Yields events in order of time; served by event_by_time. */
    async *eventsOf(filter: EventFilter, { from, to }: Span): AsyncGenerator<ExportedEvent[]> {
      let [after, afterId] = [from, ''];
      for (;;) {
        const chunk = await database.all<ExportedEvent>(
          `select e.id, p.user_id as "userId", n.name as "eventName", n.type as "eventType", n.source,
             e.occurred_at as timestamp, e.metadata::text as metadata
           from analytics.event e join analytics.name n on n.no = e.name
           left join analytics.person p on p.no = e.person
           where e.occurred_at >= $4 and e.occurred_at < $6 and (e.occurred_at, e.id) > ($4, $5) and ${NAMES}
           order by e.occurred_at, e.id limit ${CHUNK}`,
          [...namesOf(filter), after, afterId, to],
        );
        if (chunk.length > 0) yield chunk;
        const last = chunk.at(-1);
        if (!last || chunk.length < CHUNK) return;
        [after, afterId] = [last.timestamp, last.id];
      }
    },
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
