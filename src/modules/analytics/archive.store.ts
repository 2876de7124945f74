import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ClosedMonth } from '../../kernel/records/months.ts';
import type { ArchivedEvent } from './archive.model.ts';

/** Few enough that a statement takes less than a second. */
const ROWS_AT_ONCE = 10_000;

/** Names are those of reports: members' own names may be anything. Served by event_by_time. */
const page = statement<ArchivedEvent & { place: string }>(
  'analytics.events-to-archive',
  `select e.id, e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.person, r.source, r.name, r.type,
     e.occurred_at::text as place
   from (
     select id, occurred_at, received_at, person, name from analytics.event
     where occurred_at >= $1 and occurred_at < $2 and (occurred_at, id) > ($3::timestamptz, $4)
     order by occurred_at, id limit ${ROWS_AT_ONCE}) e
   join analytics.reported r on r.no = e.name
   order by e.occurred_at, e.id`,
);

/** SQL of months of events on their way to the object storage. */
export const archiveStore = (database: Database) => ({
  /** Yields the events of a month in the order of time, in groups of up to `size`. */
  async *eventsOf({ starts, ends }: ClosedMonth, size: number): AsyncGenerator<ArchivedEvent[]> {
    let group: ArchivedEvent[] = [];
    let [place, id] = ['-infinity', ''];
    for (;;) {
      const rows = await database.all(page, [starts, ends, place, id]);
      group.push(...rows);
      if (group.length >= size || (rows.length < ROWS_AT_ONCE && group.length > 0)) {
        yield group;
        group = [];
      }
      const last = rows.at(-1);
      if (rows.length < ROWS_AT_ONCE || !last) return;
      [place, id] = [last.place, last.id];
    }
  },
  /** Returns how many events a month has. */
  countEvents: ({ starts, ends }: ClosedMonth): Promise<number> =>
    database.snapshot((queries) =>
      queries.count('select count(*) from analytics.event where occurred_at >= $1 and occurred_at < $2', [
        starts,
        ends,
      ]),
    ),
  /** Returns how many events the file of a month has; undefined if none was written. */
  async archived({ starts }: ClosedMonth): Promise<number | undefined> {
    const row = await database.first<{ events: number }>(
      'select events from analytics.archive where month = $1::timestamptz::date',
      [starts],
    );
    return row?.events;
  },
  async note(
    { starts }: ClosedMonth,
    { key, events, at }: { key: string; events: number; at: Date },
  ): Promise<void> {
    await database.execute(
      `insert into analytics.archive (month, key, events, written_at) values ($1::timestamptz::date, $2, $3, $4)
       on conflict (month) do update set key = excluded.key, events = excluded.events, written_at = excluded.written_at`,
      [starts, key, events, at],
    );
  },
});
