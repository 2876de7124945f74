import { columnsOf } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Block } from './blocks.model.ts';
import type { BlockPair } from './contract.ts';

const blocksAmong = statement<BlockPair>(
  'moderation.blocks-among',
  `select blocker_id as "blockerId", blocked_id as "blockedId"
   from unnest($1::text[], $2::text[]) as asked (blocker_id, blocked_id)
   join moderation.block using (blocker_id, blocked_id)`,
);

const blockersOf = statement<Pick<BlockPair, 'blockerId'>>(
  'moderation.blockers-of',
  'select blocker_id from moderation.block where blocked_id = $1 order by created_at, blocker_id limit $2',
);

/** Served by the primary key and by block_of_blocked. */
const partedFrom = statement<{ userId: ObjectId }>(
  'moderation.parted-from',
  `select blocked_id as user_id from moderation.block where blocker_id = $1
   union select blocker_id from moderation.block where blocked_id = $1`,
);

const partedFromEach = statement<{ userId: ObjectId; otherId: ObjectId }>(
  'moderation.parted-from-each',
  `select user_id as "userId", other_id as "otherId" from unnest($1::text[]) as asked (user_id)
   cross join lateral (
     select blocked_id as other_id from moderation.block where blocker_id = user_id
     union select blocker_id from moderation.block where blocked_id = user_id
     limit $2) parted`,
);

const partedFromMany = statement<{ userId: ObjectId }>(
  'moderation.parted-from-many',
  `select user_id as "userId" from unnest($1::text[]) as asked (user_id)
   where $2::bigint < (select count(*) from (
     select blocked_id from moderation.block where blocker_id = user_id
     union select blocker_id from moderation.block where blocked_id = user_id
     limit $2::bigint + 1) parted)`,
);

/** SQL of blocks between members. */
export function blockStore(database: Database) {
  return {
    /** Returns the pairs in which the first member has blocked the second. */
    among: (pairs: BlockPair[], queries: Queries = database): Promise<BlockPair[]> =>
      queries.all(blocksAmong, columnsOf(pairs, 'blockerId', 'blockedId')),
    /** Returns the members whom this one has blocked, and those who have blocked this one. */
    partedFrom: async (userId: ObjectId): Promise<ObjectId[]> =>
      (await database.all(partedFrom, [userId])).map((row) => row.userId),
    /**
     * Returns the same of each of these members, at most `limit` of each; who is parted from nobody is left out.
     */
    async partedFromEach(userIds: ObjectId[], limit: number): Promise<Map<ObjectId, ObjectId[]>> {
      const rows = userIds.length === 0 ? [] : await database.all(partedFromEach, [userIds, limit]);
      const byMember = Map.groupBy(rows, ({ userId }) => userId);
      return new Map([...byMember].map(([userId, of]) => [userId, of.map(({ otherId }) => otherId)]));
    },
    /** Returns those of these members who are parted from more than `limit` others. */
    partedFromMany: async (userIds: ObjectId[], limit: number): Promise<ObjectId[]> =>
      (await database.all(partedFromMany, [userIds, limit])).map(({ userId }) => userId),
    /** Returns members who have blocked this one, the earliest first. */
    blockersOf: async (tx: Transaction, blockedId: ObjectId, limit: number): Promise<ObjectId[]> =>
      (await tx.all(blockersOf, [blockedId, limit])).map(({ blockerId }) => blockerId),
    /** Adds a block; returns whether it is new. */
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
    /** Returns the members whom a member blocked, newest block first; served by block_listing. */
    pageOf: (blockerId: ObjectId, request: PageRequest): Promise<Page<Block>> =>
      readPage(
        database,
        {
          columns: 'blocked_id as "userId", created_at as "blockedAt"',
          from: 'moderation.block where blocker_id = $1',
          orderBy: 'created_at desc, blocked_id desc',
          moment: 'created_at, blocked_id',
        },
        [blockerId],
        request,
      ),
    /** Deletes all blocks by and of a deleted member. */
    async erase(tx: Transaction, userId: ObjectId): Promise<void> {
      await tx.execute('delete from moderation.block where blocker_id = $1 or blocked_id = $1', [userId]);
    },
  };
}

export type BlockStore = ReturnType<typeof blockStore>;
