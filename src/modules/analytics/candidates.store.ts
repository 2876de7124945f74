import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { type EventName, MEMBERS_OF_NAME, NAMES_ALONE, type NumberedName } from './names.model.ts';
import { LISTED_A_DAY, listNames, roomAt } from './names.store.ts';

/** Maximum number of names that each member ever counts towards, so that a few accounts cannot fill the dictionary. */
const MAX_COUNTED = 100;
/** Days for which a use of a name counts towards listing it. */
const CANDIDATE_DAYS = 30;

/** SQL of candidates: names that members use and that are not listed yet. */
export function candidateStore(database: Database) {
  /**
   * Returns those of the names that may be listed: used by enough members, or by one who has not listed many. Uses by
   * members who have counted towards too many names are ignored.
   */
  const listable = (names: EventName[], since: Date): Promise<EventName[]> =>
    database.all(
      `select name, type from (
         select c.name, c.type, row_number() over (partition by c.user_id order by c.name, c.type) + (
           select count(*) from analytics.candidate h where h.user_id = c.user_id and h.is_listed) as helped
         from unnest($1::text[], $2::text[]) as asked (name, type)
         join analytics.candidate c using (name, type) where c.proposed_at > $3) uses
       where helped <= ${MAX_COUNTED}
       group by 1, 2 having count(*) >= ${MEMBERS_OF_NAME} or min(helped) <= ${NAMES_ALONE} order by 1, 2`,
      [...columnsOf(names, 'name', 'type'), since],
    );

  const candidatesSince = (at: Date): Date => new Date(at.getTime() - CANDIDATE_DAYS * DAY_MS);

  /** Lists those of the names that may be; returns the ones that are now listed. */
  async function listUsed(names: EventName[], at: Date): Promise<NumberedName[]> {
    const used = await listable(names, candidatesSince(at));
    if (used.length === 0) return [];
    return database.transaction(async (tx) => {
      await tx.lock('analytics.names');
      await listNames(tx, used, at, (await roomAt(tx, at)).today);
      const columns = columnsOf(used, 'name', 'type');
      await tx.execute(
        `update analytics.candidate c set is_listed = true
         from unnest($1::text[], $2::text[]) as asked (name, type)
         join analytics.name n on (n.source, n.name, n.type) = ('client', asked.name, asked.type)
         where c.name = asked.name and c.type = asked.type`,
        columns,
      );
      return tx.all<NumberedName>(
        `select no, name, type from analytics.name join unnest($1::text[], $2::text[]) as asked (name, type)
           using (name, type) where source = 'client'`,
        columns,
      );
    });
  }

  return {
    /** Returns which of the names the member has not used before. */
    unproposed: (names: EventName[], userId: ObjectId): Promise<EventName[]> =>
      database.all(
        `select name, type from unnest($1::text[], $2::text[]) as asked (name, type)
         where not exists (select from analytics.candidate c
           where c.name = asked.name and c.type = asked.type and c.user_id = $3)`,
        [...columnsOf(names, 'name', 'type'), userId],
      ),

    /**
     * Records that a member uses names, and lists those that may be; returns the ones that are now listed.
     */
    async propose(names: EventName[], userId: ObjectId, at: Date): Promise<NumberedName[]> {
      await database.execute(
        `insert into analytics.candidate (name, type, user_id, proposed_at)
         select name, type, $3, $4 from unnest($1::text[], $2::text[]) as asked (name, type)
         order by name, type on conflict do nothing`,
        [...columnsOf(names, 'name', 'type'), userId, at],
      );
      // The use is committed before uses are counted, so that of two concurrent members the later one counts both.
      return listUsed(names, at);
    },

    /** Lists names that enough members used when the dictionary had no room for them. */
    async listWaiting(at: Date): Promise<void> {
      const waiting = await database.all<EventName>(
        `select name, type from analytics.candidate where not is_listed and proposed_at > $1
         group by 1, 2 having count(*) >= ${MEMBERS_OF_NAME} order by min(proposed_at), 1, 2 limit ${LISTED_A_DAY}`,
        [candidatesSince(at)],
      );
      if (waiting.length > 0) await listUsed(waiting, at);
    },

    /** Deletes uses that no longer count. */
    deleteOldCandidates: async (at: Date): Promise<void> => {
      await database.execute('delete from analytics.candidate where not is_listed and proposed_at <= $1', [
        candidatesSince(at),
      ]);
    },
  };
}

export type CandidateStore = ReturnType<typeof candidateStore>;
