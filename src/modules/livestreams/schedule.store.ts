import type { ScheduledSession } from '../../external/schedule/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

const SESSION = `id, title, description, educator_id as "educatorId", educator_name as "educatorName",
  starts_at as "startsAt", ends_at as "endsAt"`;

/** Maximum number of sessions in a response, more than the requested periods contain. */
const MAX_SESSIONS = 5_000;

export function scheduleStore(database: Database) {
  return {
    /** Returns the sessions that start within a period. */
    async beginning(from: Date, to: Date, queries: Queries = database): Promise<ScheduledSession[]> {
      return queries.all<ScheduledSession>(
        `select ${SESSION} from livestreams.scheduled_session where starts_at >= $1 and starts_at < $2`,
        [from, to],
      );
    },

    /** Returns the sessions that overlap a period, optionally of one educator, earliest start first. */
    async during(
      from: Date,
      to: Date,
      longestMs: number,
      educatorId?: ObjectId,
    ): Promise<ScheduledSession[]> {
      return database.all<ScheduledSession>(
        `select ${SESSION} from livestreams.scheduled_session
         where starts_at > $4 and starts_at < $2 and ends_at > $1 and ($3::text is null or educator_id = $3)
         order by starts_at, id limit ${MAX_SESSIONS}`,
        [from, to, educatorId ?? null, new Date(from.getTime() - longestMs)],
      );
    },

    async put(tx: Transaction, sessions: ScheduledSession[], at: Date): Promise<void> {
      await tx.execute(
        `insert into livestreams.scheduled_session
           (id, title, description, educator_id, educator_name, starts_at, ends_at, synced_at)
         select *, $8 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
           $7::timestamptz[])
         on conflict (id) do update set title = excluded.title, description = excluded.description,
           educator_id = excluded.educator_id, educator_name = excluded.educator_name,
           starts_at = excluded.starts_at, ends_at = excluded.ends_at, synced_at = excluded.synced_at`,
        [
          sessions.map(({ id }) => id),
          sessions.map(({ title }) => title),
          sessions.map(({ description }) => description),
          sessions.map(({ educatorId }) => educatorId),
          sessions.map(({ educatorName }) => educatorName),
          sessions.map(({ startsAt }) => startsAt),
          sessions.map(({ endsAt }) => endsAt),
          at,
        ],
      );
    },

    /** Deletes all sessions of this educator. */
    async forget(tx: Transaction, educatorId: ObjectId): Promise<void> {
      await tx.execute('delete from livestreams.scheduled_session where educator_id = $1', [educatorId]);
    },

    async remove(tx: Transaction, ids: string[]): Promise<void> {
      await tx.execute('delete from livestreams.scheduled_session where id = any($1)', [ids]);
    },
  };
}

export type ScheduleStore = ReturnType<typeof scheduleStore>;
