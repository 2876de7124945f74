import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Logged } from './events.model.ts';

/** An event of the log. */
export interface LogRow {
  position: number;
  id: ObjectId;
  type: string;
  happenedAt: Date;
  data: Record<string, unknown>;
}

const append = statement<never>(
  'webhooks.append-events',
  `insert into webhooks.event (id, type, happened_at, data, unread)
   select id, type, happened_at, data::json, unread::json
   from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[])
     with ordinality as logged (id, type, happened_at, data, unread, place)
   order by place`,
);

const COLUMNS = 'position, id, event.type, happened_at as "happenedAt", data';
/** The first event that no program could read yet; events are published only up to it. */
const UNREADABLE = `coalesce(
  (select position from webhooks.event where type is null order by position limit 1), 9223372036854775807)`;

const readOn = statement<LogRow>(
  'webhooks.feed',
  `select ${COLUMNS} from webhooks.event
   where position > $1 and type <> $2 and position < ${UNREADABLE} order by position limit $3`,
);
/** The comparison of pairs forces a plan by event_by_type, however rare the types are. */
const readOnOf = statement<LogRow>(
  'webhooks.feed-of-types',
  `select found.* from unnest($2::text[]) as wanted (type), lateral (
     select ${COLUMNS} from webhooks.event
     where (event.type, position) > (wanted.type, $1::bigint) and (event.type, position) < (wanted.type, ${UNREADABLE})
     order by event.type, position limit $3) as found
   order by position limit $3`,
);
const unread = statement<{ position: number; unread: Record<string, unknown> }>(
  'webhooks.unread-events',
  `select position, unread from webhooks.event where type is null order by position limit 100`,
);

/** SQL of the event log. */
export function eventLogStore(database: Database) {
  return {
    append: (tx: Transaction, events: Logged[]): Promise<number> =>
      tx.execute(append, columnsOf(events, 'id', 'type', 'happenedAt', 'data', 'unread')),
    /** Returns the events after a position, of these types or of all but one. */
    readOn: (
      after: number,
      types: { of: string[] } | { allBut: string },
      limit: number,
    ): Promise<LogRow[]> =>
      'of' in types
        ? database.all(readOnOf, [after, types.of, limit])
        : database.all(readOn, [after, types.allBut, limit]),
    /** Returns the newest position; 0 for an empty log. */
    head: (): Promise<number> => database.count('select coalesce(max(position), 0) from webhooks.event'),
    /** Returns the first events that this or an older program could not read. */
    unread: () => database.all(unread),
    /**
     * Stores the public form of an event that could not be read before; deletes one without a type, which is not
     * published.
     */
    async resolve(position: number, read: { type: string; data: string } | undefined): Promise<void> {
      const values = read ? [position, read.type, read.data] : [position];
      await database.execute(
        read
          ? `update webhooks.event set type = $2, data = $3::json, unread = null where position = $1 and type is null`
          : 'delete from webhooks.event where position = $1 and type is null',
        values,
      );
    },
  };
}

export type EventLogStore = ReturnType<typeof eventLogStore>;
