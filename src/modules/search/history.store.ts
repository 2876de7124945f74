import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { MAX_HISTORY, MIN_SEARCHERS } from './search.model.ts';

export interface Searched {
  userId: ObjectId;
  /** Normalized. */
  key: string;
  query: string;
  resultCount: number;
  searchedAt: Date;
  /** Whether the search counts towards suggestions to other members. */
  isCounted: boolean;
}

/**
 * Stores queries; one that counts, and has not counted for the member before, increments its count of members.
 */
const remember = statement<never>(
  'search.remember',
  `with asked as (
     select distinct on (user_id, key) * from 
         unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::boolean[])
       with ordinality as a (user_id, key, query, result_count, searched_at, is_counted, place)
     order by user_id, key, place desc),
   before as materialized (
     select h.user_id, h.key from search.history h join asked using (user_id, key)
     where h.is_counted order by h.user_id, h.key for update of h),
   written as (
     insert into search.history (user_id, key, query, result_count, searched_at, is_counted)
     select user_id, key, query, result_count, searched_at, is_counted
     from asked, (select count(*) from before) as locked order by user_id, key
     on conflict (user_id, key) do update set query = excluded.query, result_count = excluded.result_count,
       searched_at = greatest(history.searched_at, excluded.searched_at),
       is_counted = history.is_counted or excluded.is_counted
     returning user_id, key, is_counted)
   insert into search.popular as known (key, members)
   select key, count(*) from written
   where is_counted and not exists (
     select from before where before.user_id = written.user_id and before.key = written.key)
   group by key order by key
   on conflict (key) do update set members = known.members + excluded.members`,
);
/** Deletes history rows and decrements the counts of members of their queries. */
const forgetting = (which: string): string => `
  with gone as (delete from search.history where ${which} returning key, is_counted),
  counted as (
    select key, count(*) as members from gone where is_counted group by key)
  update search.popular p set members = greatest(0, p.members - c.members)
  from (select p.key, c.members from search.popular p join counted c using (key) order by p.key for update of p) c
  where p.key = c.key`;
const prune = statement<never>(
  'search.prune-history',
  forgetting(`(user_id, key) in (
    select user_id, key from (
      select user_id, key, row_number() over (partition by user_id order by searched_at desc, key) as place
      from search.history where user_id = any($1)) ordered where place > ${MAX_HISTORY})`),
);

/** SQL of the search history. */
export function historyStore(database: Database) {
  return {
    async remember(searched: Searched[]): Promise<void> {
      const columns = columnsOf(searched, 'userId', 'key', 'query', 'resultCount', 'searchedAt', 'isCounted');
      await database.transaction(async (tx) => {
        await tx.execute(remember, columns);
        await tx.execute(prune, [[...new Set(searched.map(({ userId }) => userId))]]);
      });
    },
    /** Deletes queries that are no longer in any history. */
    forgetUnused: async (): Promise<void> => {
      await database.execute('delete from search.popular where members = 0');
    },
    /** Newest first. */
    of: (userId: ObjectId): Promise<Pick<Searched, 'query' | 'resultCount' | 'searchedAt'>[]> =>
      database.all(
        `select query, result_count, searched_at from search.history where user_id = $1
         order by searched_at desc, key limit ${MAX_HISTORY}`,
        [userId],
      ),
    /** Deletes a member's history, and queries that no other member searched for. */
    async forget(tx: Transaction, userId: ObjectId): Promise<void> {
      const keys = await tx.all<{ key: string }>('select key from search.history where user_id = $1', [
        userId,
      ]);
      await tx.execute(forgetting('user_id = $1'), [userId]);
      await tx.execute('delete from search.popular where key = any($1) and members = 0', [
        keys.map(({ key }) => key),
      ]);
    },
    /** Returns some of the suggested queries that are one of the keys, or consist of several of the words. */
    async suggestedAmong(keys: string[], words: string[], limit: number): Promise<string[]> {
      const rows = await database.all<{ key: string }>(
        `select key from search.popular where members >= ${MIN_SEARCHERS}
           and (key = any($1) or (key like '% %' and string_to_array(key, ' ') <@ $2::text[]))
         order by key limit $3`,
        [keys, words, limit],
      );
      return rows.map(({ key }) => key);
    },
    /** Deletes these queries from the suggestions; each counts anew with the members who search for it from now on. */
    async forgetQueries(keys: string[]): Promise<void> {
      await database.execute(
        `with uncounted as (update search.history set is_counted = false where key = any($1) and is_counted)
         delete from search.popular where key = any($1)`,
        [keys],
      );
    },
    /** Returns queries of many members that start with a text, most frequent first. */
    async popular(key: string, limit: number): Promise<string[]> {
      const rows = await database.all<{ key: string }>(
        `select key from search.popular
         where members >= ${MIN_SEARCHERS} and key >= $1 and key < $1 || chr(1114111)
         order by members desc, key limit $2`,
        [key, limit],
      );
      return rows.map((row) => row.key);
    },
  };
}

export type HistoryStore = ReturnType<typeof historyStore>;
