import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface Elevation {
  hasFactor: boolean;
  elevatedUntil: Date | null;
  isEnded: boolean;
}

/** Locks the session against changes of its elevation, but not against other readers. */
const lockElevation = statement<Elevation>(
  'identity.lock-elevation',
  `select u.has_factor, s.elevated_until, s.ended_at is not null as is_ended
   from identity.session s join identity.user u on u.id = s.user_id
   where s.id = $1 for share of s`,
);

const allowance = statement<{ sent: number; lacksFactor: boolean }>(
  'identity.allowance',
  `select lacks_factor, (
     select coalesce(sum(keys), 0)::bigint from identity.sent_keys
     where allowance_id = coalesce(s.allowance_id, s.id) and sent_at > $2) as sent
   from identity.session s where id = $1`,
);

export const elevationStore = (database: Database) => ({
  /**
   * Keeps the elevation of the session unchanged until the transaction ends; undefined if there is no such session.
   */
  lock: (tx: Transaction, sessionId: ObjectId): Promise<Elevation | undefined> =>
    tx.first(lockElevation, [sessionId]),
  /**
   * Elevates an active session; returns whether there is one. The member must be locked, and have shown a second factor if
   * there is one.
   */
  elevate: async (tx: Transaction, sessionId: ObjectId, until: Date): Promise<boolean> =>
    (await tx.execute(
      `update identity.session set elevated_until = $2,
         lacks_factor = lacks_factor and not (select has_factor from identity.user where id = user_id)
       where id = $1 and ended_at is null returning 1`,
      [sessionId, until],
    )) > 0,
  /** Ends the elevation of all sessions of a member, who must be locked. */
  end: async (tx: Transaction, userId: ObjectId): Promise<void> => {
    await tx.execute(
      'update identity.session set elevated_until = null where user_id = $1 and elevated_until is not null',
      [userId],
    );
  },
  /**
   * Returns the Keys sent since then by the session and by those with which it shares its allowance, and whether
   * the session lacks a factor; undefined if there is no such session.
   */
  allowance: (
    sessionId: ObjectId,
    since: Date,
    queries: Queries = database,
  ): Promise<{ sent: number; lacksFactor: boolean } | undefined> =>
    queries.first(allowance, [sessionId, since]),
  insertSent: async (tx: Transaction, sessionId: ObjectId, keys: number, at: Date): Promise<void> => {
    await tx.execute(
      `insert into identity.sent_keys (session_id, allowance_id, keys, sent_at)
       select id, coalesce(allowance_id, id), $2, $3 from identity.session where id = $1`,
      [sessionId, keys, at],
    );
  },
});

export type ElevationStore = ReturnType<typeof elevationStore>;
