import type { Database } from '../../../kernel/database/database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';

export interface Backup {
  at: Date;
  head: string;
  place: string;
}

/** The newest backup, of which there is one row. */
export const backupStore = (database: Database) => ({
  last: (): Promise<Backup | undefined> =>
    database.first<Backup>('select at, head, place from administration.last_backup'),
  /** Returns the newest backup so far and locks it until the transaction ends. */
  async lock(tx: Transaction): Promise<Backup | undefined> {
    await tx.lock('administration.last-backup');
    return tx.first<Backup>('select at, head, place from administration.last_backup');
  },
  async replace(tx: Transaction, { at, head, place }: Backup): Promise<void> {
    await tx.execute(
      `insert into administration.last_backup (at, head, place) values ($1, $2, $3)
       on conflict (is_last) do update set at = excluded.at, head = excluded.head, place = excluded.place`,
      [at, head, place],
    );
  },
});

export type BackupStore = ReturnType<typeof backupStore>;
