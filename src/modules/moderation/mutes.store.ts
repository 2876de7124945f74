import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

const among = statement<{ userId: ObjectId; mutedUntil: Date }>(
  'moderation.mutes-among',
  `select user_id as "userId", muted_until as "mutedUntil" from moderation.mute
   where user_id = any($1) and muted_until > $2`,
);

/** The mute of a member, which may be over. */
export interface Mute {
  mutedUntil: Date;
  mutedBy: string;
  mutedAt: Date;
}

/** SQL of members who are muted everywhere. */
export function muteStore(database: Database) {
  return {
    /** Returns, for those of these members who are muted, until when they are. */
    async among(userIds: ObjectId[], at: Date, queries: Queries = database): Promise<Map<ObjectId, Date>> {
      const rows = await queries.all(among, [userIds, at]);
      return new Map(rows.map(({ userId, mutedUntil }) => [userId, mutedUntil]));
    },
    /** Returns the mute of a member, locked against other changes until the transaction ends; it may be over. */
    lock: (tx: Transaction, userId: ObjectId): Promise<Mute | undefined> =>
      tx.first('select muted_until, muted_by, muted_at from moderation.mute where user_id = $1 for update', [
        userId,
      ]),
    /** Mutes a member until then, or no longer. */
    async set(
      tx: Transaction,
      userId: ObjectId,
      { mutedUntil, by, at }: { mutedUntil: Date | null; by: string; at: Date },
    ): Promise<void> {
      if (mutedUntil === null) await tx.execute('delete from moderation.mute where user_id = $1', [userId]);
      else
        await tx.execute(
          `insert into moderation.mute (user_id, muted_until, muted_by, muted_at) values ($1, $2, $3, $4)
           on conflict (user_id) do update set muted_until = $2, muted_by = $3, muted_at = $4`,
          [userId, mutedUntil, by, at],
        );
    },
    async erase(tx: Transaction, userId: ObjectId): Promise<void> {
      await tx.execute('delete from moderation.mute where user_id = $1', [userId]);
    },
  };
}

export type MuteStore = ReturnType<typeof muteStore>;
