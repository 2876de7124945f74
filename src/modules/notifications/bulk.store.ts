import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Bulk } from './bulk.model.ts';

export function bulkStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Bulk | undefined> =>
      database.first(
        `select id as job_id, case when finished_at is null then 'running' else 'finished' end as status, requested,
           done, unknown, created_at, finished_at
         from notifications.bulk where id = $1`,
        [id],
      ),
    async insert(
      tx: Transaction,
      bulk: { id: ObjectId; requested: number; createdBy: ObjectId; createdAt: Date },
    ): Promise<void> {
      await tx.insert('notifications.bulk', bulk, ['id', 'requested', 'createdBy', 'createdAt']);
    },
    /** Counts processed members; finishes the bulk with the last of them. */
    async advance(
      tx: Transaction,
      id: ObjectId,
      { done, unknown, at }: { done: number; unknown: number; at: Date },
    ): Promise<void> {
      await tx.execute(
        `update notifications.bulk set done = done + $2, unknown = unknown + $3,
           finished_at = case when done + $2 >= requested then $4::timestamptz end
         where id = $1`,
        [id, done, unknown, at],
      );
    },
  };
}

export type BulkStore = ReturnType<typeof bulkStore>;
