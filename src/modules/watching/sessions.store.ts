import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Beat, NewSession, WatchSession } from './sessions.model.ts';

const SESSION = `id, user_id as "userId", started_at as "startedAt", seen_at as "seenAt", ended_at as "endedAt"`;

const find = statement<WatchSession>(
  'watching.find-session',
  `select ${SESSION} from watching.session where id = $1`,
);
/** Prolongs open sessions, except those that are silent or have lasted too long. */
const beat = statement<WatchSession>(
  'watching.beat',
  `update watching.session s
   set seen_at = greatest(s.seen_at, $3), position_seconds = coalesce(b.position, s.position_seconds)
   from unnest($1::text[], $2::integer[]) as b (id, position)
   where s.id = b.id and s.ended_at is null and s.seen_at >= $4 and s.started_at >= $5
   returning s.id, s.user_id as "userId", s.started_at as "startedAt", s.seen_at as "seenAt", s.ended_at as "endedAt"`,
);
const end = statement<WatchSession>(
  'watching.end-session',
  `update watching.session
   set ended_at = case when seen_at = started_at or seen_at < $3 or started_at < $4 then seen_at
     else greatest(seen_at, $2) end
   where id = $1 and ended_at is null returning ${SESSION}`,
);
/** Ends all but the newest open sessions of a member at their last heartbeats. */
const endOldest = statement<never>(
  'watching.end-oldest',
  `update watching.session set ended_at = seen_at
   where id in (select id from watching.session where user_id = $1 and ended_at is null order by id desc offset $2)`,
);
/** Ends silent sessions at their last heartbeats and reschedules the others. Served by session_to_check. */
const check = statement<{ id: ObjectId }>(
  'watching.check-silence',
  `with due as (
     select id from watching.session where ended_at is null and check_at <= $1
     order by check_at limit $4 for update skip locked)
   update watching.session s set ended_at = case when seen_at < $2 then seen_at end, check_at = $3
   from due where s.id = due.id returning s.id`,
);

/** SQL of watch sessions. */
export function sessionStore(database: Database) {
  return {
    async insert(tx: Transaction, one: NewSession): Promise<void> {
      await tx.insert('watching.session', { ...one, seenAt: one.startedAt }, [
        'id',
        'userId',
        'contentType',
        'contentId',
        'educatorId',
        'platform',
        'startedAt',
        'seenAt',
        'checkAt',
      ]);
    },
    find: (id: ObjectId): Promise<WatchSession | undefined> => database.first(find, [id]),
    /** Prolongs sessions and returns those that were open; a transaction, so that deadlocks are retried. */
    beat: (beats: Beat[], at: Date, seenSince: Date, startedSince: Date): Promise<WatchSession[]> =>
      database.transaction((tx) =>
        tx.all(beat, [...columnsOf(beats, 'id', 'positionSeconds'), at, seenSince, startedSince]),
      ),
    /** Ends an open session: now, or at its last heartbeat if that is older than `seenSince`. */
    end: (id: ObjectId, at: Date, seenSince: Date, startedSince: Date): Promise<WatchSession | undefined> =>
      database.first(end, [id, at, seenSince, startedSince]),
    endOldest: (tx: Transaction, userId: ObjectId, keep: number): Promise<number> =>
      tx.execute(endOldest, [userId, keep]),
    /** Checks sessions that are due; returns how many it checked. */
    async check(
      tx: Transaction,
      { at, seenSince, nextAt, limit }: { at: Date; seenSince: Date; nextAt: Date; limit: number },
    ): Promise<number> {
      return (await tx.all(check, [at, seenSince, nextAt, limit])).length;
    },
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
