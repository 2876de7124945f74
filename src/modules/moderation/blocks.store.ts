import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';

export interface Block {
  userId: ObjectId;
  blockedAt: Date;
}

const blockers = statement<{ id: ObjectId }>(
  'moderation.blockers',
  'select blocker_id as id from moderation.block where blocked_id = $1 and blocker_id = any($2)',
);

/** SQL of blocks between members. */
export function blockStore(database: Database) {
  return {
    /** Returns which of these members blocked one. */
    blockersAmong: async (userIds: ObjectId[], userId: ObjectId): Promise<ObjectId[]> =>
      (await database.all(blockers, [userId, userIds])).map(({ id }) => id),
    /** Returns whether it is new. */
    insert: async (tx: Transaction, blockerId: ObjectId, blockedId: ObjectId, at: Date): Promise<boolean> =>
      (await tx.execute(
        `insert into moderation.block (blocker_id, blocked_id, created_at) values ($1, $2, $3)
         on conflict do nothing`,
        [blockerId, blockedId, at],
      )) > 0,
    count: (tx: Transaction, blockerId: ObjectId): Promise<number> =>
      tx.count('select count(*) from moderation.block where blocker_id = $1', [blockerId]),
    delete: (blockerId: ObjectId, blockedId: ObjectId): Promise<number> =>
      database.execute('delete from moderation.block where blocker_id = $1 and blocked_id = $2', [
        blockerId,
        blockedId,
      ]),
    /** Returns whom a member blocked, the newest block first. */
    pageOf: (blockerId: ObjectId, request: PageRequest): Promise<Page<Block>> =>
      readPage(
        database,
        {
          columns: 'blocked_id as "userId", created_at as "blockedAt"',
          from: 'moderation.block where blocker_id = $1',
          orderBy: 'created_at desc, blocked_id',
        },
        [blockerId],
        request,
      ),
    /** Forgets whom a deleted member blocked, and who blocked them. */
    async erase(tx: Transaction, userId: ObjectId): Promise<void> {
      await tx.execute('delete from moderation.block where blocker_id = $1 or blocked_id = $1', [userId]);
    },
  };
}

export type BlockStore = ReturnType<typeof blockStore>;
