import { columnsOf } from '../../kernel/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';

/** Who told of an event: a member's client, or the platform itself. */
export const SOURCES = ['client', 'platform', 'all'] as const;
export type Source = (typeof SOURCES)[number];

/** What an event is called. */
export interface EventName {
  name: string;
  type: string;
}

export interface NumberedName extends EventName {
  no: number;
}

/** SQL of the names of events. */
export function nameStore(database: Database) {
  return {
    all: (): Promise<NumberedName[]> =>
      database.all(`select no, name, type from analytics.name where source = 'client'`),
    /** Numbers names of clients that have none yet, and returns the numbers of all of these. */
    async number(names: EventName[]): Promise<NumberedName[]> {
      const columns = columnsOf(names, 'name', 'type');
      // Those that are there are left out first: a conflict would use up a number.
      await database.execute(
        `insert into analytics.name (source, name, type)
         select 'client', name, type from unnest($1::text[], $2::text[]) as asked (name, type)
         where not exists (select from analytics.name known
           where (known.source, known.name, known.type) = ('client', asked.name, asked.type))
         order by name, type on conflict do nothing`,
        columns,
      );
      return database.all(
        `select no, name, type from analytics.name join unnest($1::text[], $2::text[]) as asked (name, type)
           using (name, type) where source = 'client'`,
        columns,
      );
    },
  };
}

export type NameStore = ReturnType<typeof nameStore>;
