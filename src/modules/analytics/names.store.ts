import { columnsOf } from '../../kernel/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';

/** The source of an event: a member's client, or the platform itself. */
export const SOURCES = ['client', 'platform', 'all'] as const;
export type Source = (typeof SOURCES)[number];

/** The name, type and source of an event. */
export interface EventName {
  name: string;
  type: string;
}

export interface NumberedName extends EventName {
  no: number;
}

/** SQL of event names. */
export function nameStore(database: Database) {
  return {
    all: (): Promise<NumberedName[]> =>
      database.all(`select no, name, type from analytics.name where source = 'client'`),
    /**
     * Assigns numbers to new client names, and returns the numbers of all given names; nothing if there would be more
     * than `max` of all clients.
     */
    number: (names: EventName[], max: number): Promise<NumberedName[] | undefined> =>
      database.transaction(async (tx) => {
        const columns = columnsOf(names, 'name', 'type');
        await tx.lock('analytics.names');
        // Existing names are filtered out first, since a conflict would use up a number.
        await tx.execute(
          `insert into analytics.name (source, name, type)
           select 'client', name, type from unnest($1::text[], $2::text[]) as asked (name, type)
           where not exists (select from analytics.name known
             where (known.source, known.name, known.type) = ('client', asked.name, asked.type))
             and $3 >= (select count(*) from (
               select name, type from analytics.name where source = 'client'
               union select name, type from unnest($1::text[], $2::text[]) as asked (name, type)) every)
           order by name, type on conflict do nothing`,
          [...columns, max],
        );
        const numbered = await tx.all<NumberedName>(
          `select no, name, type from analytics.name join unnest($1::text[], $2::text[]) as asked (name, type)
             using (name, type) where source = 'client'`,
          columns,
        );
        return numbered.length === names.length ? numbered : undefined;
      }),
  };
}

export type NameStore = ReturnType<typeof nameStore>;
