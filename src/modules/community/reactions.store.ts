import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { NO_REACTIONS, type ReactionCounts, type ReactionType } from './posts.model.ts';

/** Reactions of a member deleted per transaction. */
const ROWS_AT_ONCE = 200;

/** SQL of reactions to posts; posts store the number of all reactions to them. */
export function reactionStore(database: Database) {
  return {
    /** Returns a member's reactions to these posts, by the post. */
    async ownOf(userId: ObjectId, postIds: ObjectId[]): Promise<Map<ObjectId, ReactionType>> {
      const rows = await database.all<{ postId: ObjectId; type: ReactionType }>(
        'select post_id, type from community.reaction where user_id = $1 and post_id = any($2)',
        [userId, postIds],
      );
      return new Map(rows.map(({ postId, type }) => [postId, type]));
    },
    /** Returns how many members gave each reaction to these posts, by the post; triggers keep the tally. */
    async countsOf(postIds: ObjectId[]): Promise<Map<ObjectId, ReactionCounts>> {
      const rows = await database.all<{ postId: ObjectId; type: ReactionType; count: number }>(
        'select post_id, type, count from community.reaction_tally where post_id = any($1)',
        [postIds],
      );
      const counts = new Map(postIds.map((id) => [id, { ...NO_REACTIONS }]));
      for (const { postId, type, count } of rows) (counts.get(postId) as ReactionCounts)[type] = count;
      return counts;
    },
    /** Deletes some of a member's reactions; returns how many, 0 when none are left. */
    async deleteSome(tx: Transaction, userId: ObjectId): Promise<number> {
      const rows = await tx.all<{ id: ObjectId }>(
        `select id from community.post
         where id in (select post_id from community.reaction where user_id = $1 limit ${ROWS_AT_ONCE})
         order by id for no key update`,
        [userId],
      );
      await tx.execute(
        `with gone as (delete from community.reaction where user_id = $1 and post_id = any($2) returning post_id)
         update community.post set reaction_count = reaction_count - 1 where id in (select post_id from gone)`,
        [userId, rows.map(({ id }) => id)],
      );
      return rows.length;
    },
    /**
     * Sets, replaces or removes a member's reaction to a post. Locks the post first, so that concurrent reactions are
     * counted correctly. Returns undefined if the post no longer exists.
     */
    async react(
      tx: Transaction,
      { postId, userId, type, at }: { postId: ObjectId; userId: ObjectId; type?: ReactionType; at: Date },
    ): Promise<{ hadReacted: boolean } | undefined> {
      const post = await tx.first('select id from community.post where id = $1 for no key update', [postId]);
      if (!post) return undefined;
      const takenBack = await tx.execute(
        'delete from community.reaction where post_id = $1 and user_id = $2',
        [postId, userId],
      );
      if (type) await tx.insert('community.reaction', { postId, userId, type, createdAt: at });
      await tx.execute('update community.post set reaction_count = reaction_count + $2 where id = $1', [
        postId,
        (type ? 1 : 0) - takenBack,
      ]);
      return { hadReacted: takenBack > 0 };
    },
  };
}

export type ReactionStore = ReturnType<typeof reactionStore>;
