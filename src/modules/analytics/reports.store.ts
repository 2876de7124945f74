import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { countStore, type EventFilter, namesOf } from './counts.store.ts';
import { memberStore } from './members.store.ts';
import type { Source } from './names.model.ts';
import type { Span } from './spans.model.ts';

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

/** Reading and writing this many events takes a few milliseconds. */
const CHUNK = 500;
const HOURS_AT_ONCE_MS = 6 * HOUR_MS;

const CHUNK_OF = `
    select e.id, p.user_id as "userId", coalesce(e.own_name, n.name) as "eventName",
      coalesce(e.own_type, n.type) as "eventType", n.source, e.occurred_at as timestamp,
      e.occurred_at::text as exactly, e.metadata::text as metadata
    from analytics.event e join analytics.name n on n.no = e.name
    left join analytics.person p on p.no = e.person
    where e.occurred_at >= $4::timestamptz and e.occurred_at < $6 and (e.occurred_at, e.id) > ($4::timestamptz, $5)
      and ($1 = 'all' or n.source = $1) and ($2::text is null or coalesce(e.own_name, n.name) = $2)
      and ($3::text is null or coalesce(e.own_type, n.type) = $3)
    order by e.occurred_at, e.id limit ${CHUNK}`;

/** SQL of operators' reports. */
export function reportStore(database: Database) {
  /** Sums over all time, including counts not yet added to the sums. */
  const sums = (column: 'name' | 'type', source: Source, limit: number) =>
    database.all<{ label: string; count: number }>(
      `select n.${column} as label, sum(c.events)::bigint as count from (
         select name, sum(events) as events from analytics.daily group by name
         union all select name, sum(n) from analytics.delta group by name) c
       join analytics.reported n on n.no = c.name where $1 = 'all' or n.source = $1
       group by 1 order by count desc, 1 limit $2`,
      [source, limit],
    );

  return {
    counts: countStore,
    members: memberStore,
    byType: (source: Source, limit: number) => sums('type', source, limit),
    byName: (source: Source, limit: number) => sums('name', source, limit),

    /**
     * Yields events in order of time, with the names that clients sent; served by event_by_time. Each statement reads
     * at most a few hours, so that none is long even if few events match the filter. No connection is held between
     * statements, because the reader of an export determines how long it takes.
     */
    async *eventsOf(
      filter: EventFilter,
      { from, to }: Span,
      disconnected: AbortSignal,
    ): AsyncGenerator<ExportedEvent[]> {
      const ask = <T>(work: (queries: Queries) => Promise<T>) => database.exports.run(work, disconnected);
      // Instants of the position are text: a Date would lose the microseconds, and the same events would be read again.
      const bounds = await ask((queries) =>
        queries.first<{ oldest: Date; exactly: string; newest: Date }>(
          `select oldest.at as oldest, oldest.at::text as exactly, newest.at as newest from
             (select occurred_at as at from analytics.event where occurred_at >= $1 order by occurred_at limit 1) oldest,
             (select occurred_at as at from analytics.event where occurred_at >= $1 and occurred_at < $2
              order by occurred_at desc limit 1) newest`,
          [from, to],
        ),
      );
      if (!bounds) return;
      // Ends at the newest event: a span until the year 9999 would consist of millions of chunks without events.
      const endMs = Math.min(to.getTime(), bounds.newest.getTime() + 1);
      let [after, afterId] = [bounds.exactly, ''];
      for (let fromMs = bounds.oldest.getTime(); fromMs < endMs; ) {
        const end = new Date(Math.min(endMs, fromMs + HOURS_AT_ONCE_MS));
        const position = [...namesOf(filter), after, afterId, end];
        const chunk = await ask((queries) =>
          queries.all<ExportedEvent & { exactly: string }>(CHUNK_OF, position),
        );
        if (chunk.length > 0) yield chunk;
        const last = chunk.length < CHUNK ? undefined : chunk.at(-1);
        [after, afterId] = last ? [last.exactly, last.id] : [end.toISOString(), ''];
        fromMs = last ? last.timestamp.getTime() : end.getTime();
      }
    },
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
