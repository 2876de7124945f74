import type { Database } from '../../src/kernel/database/database.ts';
import type { Transaction } from '../../src/kernel/database/queries.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Returns whether work in a transaction keeps rows from being changed by others until the transaction ends.
 * @param rows a table with a condition, such as `chat.room where id = $1`
 */
export const keepsFromChange = (
  database: Database,
  work: (tx: Transaction) => unknown,
  rows: string,
  values: unknown[],
): Promise<boolean> =>
  database.transaction(async (tx) => {
    await work(tx);
    const changing = database.transaction((other) =>
      other.all(`select from ${rows} for no key update nowait`, values),
    );
    return changing.then(
      () => false,
      (error: { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
        return true;
      },
    );
  });
