import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { EventName, ListedName, NumberedName } from './names.model.ts';

/** Maximum number of names from members that are listed within a day. */
export const LISTED_A_DAY = 200;
/** Maximum number of listed names of client events, so that reports stay readable. */
const MAX_NAMES = 5_000;
/**
 * Maximum number of names of client events including removed ones. The remaining numbers are for names of the platform.
 */
const MAX_NUMBERS = 30_000;

/** Lists names, in their order, as long as there is room; the caller must hold the lock of names. */
export async function listNames(tx: Transaction, names: EventName[], at: Date, room: number): Promise<void> {
  // Existing names are filtered out first, since a conflict would use up a number.
  await tx.execute(
    `insert into analytics.name (source, name, type, listed_at)
     select 'client', name, type, $3 from unnest($1::text[], $2::text[]) with ordinality as asked (name, type, place)
     where not exists (select from analytics.name known
       where (known.source, known.name, known.type) = ('client', asked.name, asked.type))
     order by place limit $4 on conflict do nothing`,
    [...columnsOf(names, 'name', 'type'), at, room],
  );
}

/**
 * Returns how many more names of client events may be listed: in the dictionary, and within the day before an instant.
 */
export async function roomAt(tx: Transaction, at: Date): Promise<{ inAll: number; today: number }> {
  const counted = await tx.first<{ listed: number; numbers: number; today: number }>(
    `select count(*) filter (where counted_as is null) as listed, count(*) as numbers,
       count(*) filter (where listed_at > $1) as today
     from analytics.name where source = 'client'`,
    [new Date(at.getTime() - DAY_MS)],
  );
  const { listed = 0, numbers = 0, today = 0 } = counted ?? {};
  const inAll = Math.max(0, Math.min(MAX_NAMES - listed, MAX_NUMBERS - numbers));
  return { inAll, today: Math.max(0, Math.min(inAll, LISTED_A_DAY - today)) };
}

/** SQL of event names. */
export function nameStore(database: Database) {
  return {
    /** Adds each of the names with each of the types, if missing. */
    async enter(names: string[], types: string[]): Promise<void> {
      // Existing names are filtered out first, since a conflict would use up a number.
      await database.execute(
        `insert into analytics.name (source, name, type)
         select 'client', name, type from unnest($1::text[]) name cross join unnest($2::text[]) type
         where not exists (select from analytics.name known
           where (known.source, known.name, known.type) = ('client', name.name, type.type))
         order by name, type on conflict do nothing`,
        [names, types],
      );
    },

    /** Returns all names of client events, including removed ones, which keep their numbers. */
    all: (): Promise<NumberedName[]> =>
      database.all(`select no, name, type from analytics.name where source = 'client'`),

    /** Returns the names of client events, most recently listed first. */
    pageOf: (request: PageRequest): Promise<Page<ListedName>> =>
      readPage(
        database,
        {
          columns: `name as event_name, type as event_type, listed_at, counted_as is not null as is_removed`,
          from: `analytics.name where source = 'client'`,
          orderBy: 'listed_at desc nulls last, no',
        },
        [],
        request,
      ),

    /** Lists a name regardless of its use, including a removed one; returns whether there was room for it. */
    async restore(tx: Transaction, name: EventName, at: Date): Promise<boolean> {
      await tx.lock('analytics.names');
      const { inAll } = await roomAt(tx, at);
      if (inAll > 0) {
        await listNames(tx, [name], at, 1);
        await tx.execute(
          `update analytics.name set counted_as = null, listed_at = $3
           where (source, name, type) = ('client', $1, $2) and counted_as is not null`,
          [name.name, name.type, at],
        );
      }
      const found = await tx.first(
        `select from analytics.name where (source, name, type) = ('client', $1, $2) and counted_as is null`,
        [name.name, name.type],
      );
      return found !== undefined;
    },

    /**
     * Counts events of a name under another one from now on, including past events; returns whether the name was
     * listed.
     */
    async remove(tx: Transaction, name: EventName, standIn: EventName): Promise<boolean> {
      await tx.lock('analytics.names');
      const removed = await tx.execute(
        `update analytics.name n set counted_as = s.no from analytics.name s
         where (n.source, n.name, n.type) = ('client', $1, $2) and n.counted_as is null and n.no <> s.no
           and (s.source, s.name, s.type) = ('client', $3, $4)`,
        [name.name, name.type, standIn.name, standIn.type],
      );
      return removed === 1;
    },
  };
}

export type NameStore = ReturnType<typeof nameStore>;
