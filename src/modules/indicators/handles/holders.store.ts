import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface Holder {
  savedHandle: string | null;
  requestHandle: string | null;
}

/** SQL of members' data other than grants. */
export function holderStore() {
  return {
    async find(tx: Transaction, userId: ObjectId): Promise<Holder | undefined> {
      return tx.first('select saved_handle, request_handle from indicators.holder where user_id = $1', [
        userId,
      ]);
    },
    async save(
      tx: Transaction,
      userId: ObjectId,
      column: 'saved_handle' | 'request_handle',
      handle: string,
    ): Promise<void> {
      await tx.execute(
        `insert into indicators.holder (user_id, ${column}) values ($1, $2)
         on conflict (user_id) do update set ${column} = excluded.${column}`,
        [userId, handle],
      );
    },
    async isErased(tx: Transaction, userId: ObjectId): Promise<boolean> {
      const found = await tx.first(
        'select user_id from indicators.holder where user_id = $1 and erased_at is not null',
        [userId],
      );
      return found !== undefined;
    },
    /** Deletes the member's own data; their grants are deleted as they end. */
    async erase(tx: Transaction, userId: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        `delete from indicators.spelling where handle_key in (
           select lower(saved_handle) from indicators.holder where user_id = $1
           union all select lower(request_handle) from indicators.holder where user_id = $1
           union all select lower(handle) from indicators.access where user_id = $1)`,
        [userId],
      );
      await tx.execute(
        `insert into indicators.holder (user_id, erased_at) values ($1, $2)
         on conflict (user_id) do update set saved_handle = null, request_handle = null, erased_at = excluded.erased_at`,
        [userId, at],
      );
    },
  };
}

export type HolderStore = ReturnType<typeof holderStore>;
