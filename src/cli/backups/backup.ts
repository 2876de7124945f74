import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseAccessOf, type PlatformConfig } from '../../app/config.ts';
import type { Platform } from '../../app/platform.ts';
import { platformVersion } from '../../app/version.ts';
import { openDatabase } from '../../kernel/database/database.ts';
import { makeFolder } from '../data-folder.ts';
import { backupStore } from './backups.store.ts';
import { digestOfDump, type Manifest, manifestFileOf } from './manifest.ts';
import { runPostgres } from './postgres-programs.ts';

/**
 * `backup`: dumps the database into a folder in the custom format of `pg_dump`, with a manifest beside it, and records it
 * as the newest backup. Both are of one snapshot, and readable by this user alone. A dump without a manifest was
 * interrupted.
 */
export const backupTo =
  (folder: string) =>
  async ({ wallet, administration }: Platform, config: PlatformConfig): Promise<void> => {
    makeFolder(folder, `--to ${folder}`);
    const url = config.databaseDirectUrl ?? config.databaseUrl;
    const database = openDatabase({
      ...databaseAccessOf(config),
      url: config.databaseUrl,
      connections: 2,
      onBackgroundError: () => undefined,
    });
    const at = await backupStore.now(database);
    const file = join(resolve(folder), `platform-${at.toISOString().replace(/[:.]/g, '-')}.dump`);
    const partial = `${file}.partial`;
    try {
      writeFileSync(partial, '', { mode: 0o600, flag: 'wx' });
      const held = await database.snapshot(async (queries) => {
        const serverMajor = await backupStore.serverMajor(queries);
        const snapshot = await backupStore.exportSnapshot(queries);
        const args = ['--format=custom', `--snapshot=${snapshot}`, '--no-password', `--file=${partial}`];
        await runPostgres('pg_dump', args, { url, serverMajor });
        return {
          serverMajor,
          ledger: await wallet.stateIn(queries),
          rows: await backupStore.counts(queries),
        };
      });
      const dump = await digestOfDump(partial);
      renameSync(partial, file);
      const manifest: Manifest = { takenAt: at.toISOString(), version: platformVersion(), ...held, dump };
      writeFileSync(manifestFileOf(file), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
      const { head } = held.ledger;
      await administration.recordBackup(
        { at: at.toISOString(), head, place: file },
        { actor: 'service:cli' },
      );
      console.log(`${file}\n${dump.bytes} bytes, ${held.ledger.transactions} transactions\nhead ${head}`);
    } finally {
      rmSync(partial, { force: true });
      await database.close();
    }
  };
