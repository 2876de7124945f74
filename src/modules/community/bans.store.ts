import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Banned } from './community.model.ts';

/** Bans of a deleted community deleted per statement. */
const ROWS_AT_ONCE = 200;

/** SQL of bans from communities. */
export function banStore(database: Database) {
  return {
    async isBanned(queries: Queries, communityId: ObjectId, userId: ObjectId): Promise<boolean> {
      const found = await queries.first(
        'select 1 as found from community.ban where community_id = $1 and user_id = $2',
        [communityId, userId],
      );
      return found !== undefined;
    },
    /**
     * Bans a member; who is banned already stays so. Returns false if the community no longer exists, which cannot be
     * deleted until the transaction ends.
     */
    insert: async (tx: Transaction, communityId: ObjectId, userId: ObjectId, at: Date): Promise<boolean> =>
      (await tx.execute(
        `insert into community.ban as known (community_id, user_id, banned_at)
         select id, $2, $3 from community.community where id = $1 for key share
         on conflict (community_id, user_id) do update set banned_at = known.banned_at`,
        [communityId, userId, at],
      )) > 0,
    /** Lifts a ban; returns false if there was none. */
    delete: async (tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await tx.execute('delete from community.ban where community_id = $1 and user_id = $2', [
        communityId,
        userId,
      ])) > 0,
    /** Returns who is banned from a community, by descending id. */
    pageOf: (communityId: ObjectId, request: PageRequest): Promise<Page<Banned>> =>
      readPage(
        database,
        {
          columns: 'user_id, banned_at',
          from: 'community.ban where community_id = $1',
          orderBy: 'user_id desc',
          id: 'user_id',
          isGrowing: true,
        },
        [communityId],
        request,
      ),
    /** Deletes some bans of a deleted community; returns how many, 0 when none are left. */
    deleteSome: (communityId: ObjectId): Promise<number> =>
      database.execute(
        `delete from community.ban where (community_id, user_id) in (
           select community_id, user_id from community.ban where community_id = $1 limit ${ROWS_AT_ONCE})`,
        [communityId],
      ),
    /** Deletes the bans of a deleted member; served by ban_of_user. */
    async erase(userId: ObjectId): Promise<void> {
      await database.execute('delete from community.ban where user_id = $1', [userId]);
    },
  };
}

export type BanStore = ReturnType<typeof banStore>;
