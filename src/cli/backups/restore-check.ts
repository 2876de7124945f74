import type { Config } from '../../app/config.ts';
import { openDatabase } from '../../kernel/database/database.ts';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import { holdDatabase } from '../hold-database.ts';
import { newLog } from '../log.ts';
import { withPlatform } from '../with-platform.ts';
import { backupStore, type Counts } from './backups.store.ts';
import { digestOfDump, type Manifest, readManifest } from './manifest.ts';
import { runPostgres } from './postgres-programs.ts';
import { createScratch, dropLeftovers, newScratchName } from './scratch.store.ts';

/**
 * `restore-check`: restores a dump into a database of its own on the server of DATABASE_URL, compares it with the manifest,
 * verifies the ledger, opens what is sealed, and drops the database again. Prints each step and a verdict; sets exit code 1
 * for any fault.
 */
export async function restoreCheck(config: Config, file: string): Promise<void> {
  const startedMs = performance.now();
  const manifest = readManifest(file);
  const faults: string[] = [];
  const check = (what: string, found: unknown, expected: unknown): void => {
    const isRight = found === expected;
    console.log(`${isRight ? 'ok  ' : 'FAULT'} ${what}${isRight ? '' : `: ${found} instead of ${expected}`}`);
    if (!isRight) faults.push(what);
  };

  const dump = await digestOfDump(file);
  check('the dump is the one that was taken', dump.sha256, manifest.dump.sha256);
  if (faults.length === 0) await checkRestored(config, { file, manifest, check });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(
    faults.length === 0
      ? `THE BACKUP OF ${manifest.takenAt} CAN BE RESTORED; it took ${seconds} seconds.`
      : `THE BACKUP OF ${manifest.takenAt} IS NOT SOUND: ${faults.join('; ')}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

interface Restoring {
  file: string;
  manifest: Manifest;
  check: (what: string, found: unknown, expected: unknown) => void;
}

async function checkRestored(config: Config, { file, manifest, check }: Restoring): Promise<void> {
  const hold = await holdDatabase(config, newLog(config), true);
  const url = config.databaseDirectUrl ?? hold.url;
  await dropLeftovers(url);
  const creating = createScratch(url, newScratchName());
  const clear = async (): Promise<void> => {
    await creating.then(
      ({ drop }) => drop(),
      () => undefined,
    );
    await hold.release();
  };
  const endListening = onInterruption(clear);
  try {
    const scratch = await creating;
    await restored(scratch.url, { file, manifest, check });
    await checkPlatform(config, scratch.url, { manifest, check });
  } finally {
    await endListening();
    await clear();
  }
}

/**
 * On SIGTERM and SIGINT drops the scratch database, which holds the data of all members, and ends the process with 1.
 * Returns a function that ends the listening. After a signal its promise stays pending: the work fails as its database is
 * dropped, and must not end the process with that error before the database is gone.
 */
function onInterruption(clear: () => Promise<void>): () => Promise<void> {
  let isInterrupted = false;
  const end = async (): Promise<void> => {
    if (isInterrupted) return;
    isInterrupted = true;
    console.error('Interrupted; dropping the scratch database ...');
    await clear().catch((error: Error) => console.error(`It could not be dropped: ${error.message}`));
    process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  return async () => {
    if (isInterrupted) await new Promise(() => undefined);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, end);
  };
}

async function restored(url: string, { file, manifest, check }: Restoring): Promise<void> {
  const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
  try {
    const serverMajor = await backupStore.serverMajor(database);
    // The owner and the rights of another installation do not exist here, and comments on extensions need a superuser.
    const args = ['--no-owner', '--no-privileges', '--no-comments', '--exit-on-error', '--no-password'];
    const fault = await runPostgres('pg_restore', [...args, `--dbname=${nameOf(url)}`, file], {
      url,
      serverMajor: Math.max(serverMajor, manifest.serverMajor),
    }).then(
      () => undefined,
      (error: OperatorFault) => error.message,
    );
    check('pg_restore', fault, undefined);
    compare(await database.snapshot(backupStore.counts), manifest.rows, check);
    await backupStore.forgetEnvironment(database);
  } finally {
    await database.close();
  }
}

const nameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

function compare(found: Counts, expected: Counts, check: Restoring['check']): void {
  const differing = Object.keys({ ...found, ...expected }).filter((name) => found[name] !== expected[name]);
  const total = Object.values(expected).reduce((sum, rows) => sum + rows, 0);
  check(`rows of ${Object.keys(expected).length} tables, ${total} in all`, differing.join(', '), '');
}

/** Opens a platform on the restored database, which reaches nothing else of the installation. */
async function checkPlatform(
  config: Config,
  databaseUrl: string,
  { manifest, check }: Pick<Restoring, 'manifest' | 'check'>,
): Promise<void> {
  const alone: Config = {
    ...config,
    ...{ databaseUrl, databaseDirectUrl: undefined, databaseReadUrl: undefined, redisUrl: undefined },
    ...{ databasePooler: 'none', databaseStatements: 'auto', migrate: 'auto' },
  };
  try {
    await withPlatform(alone, async ({ wallet, resealing }) => {
      const { faults, head, transactions } = await wallet.verify();
      check(`invariants of the ledger, ${transactions} transactions`, faults.length, 0);
      check('the head of the ledger', head, manifest.ledger.head);
      const unreadable = (await resealing.count()).reduce((sum, one) => sum + one.unreadable, 0);
      check('SECRET_KEY opens every secret', `${unreadable} unreadable`, '0 unreadable');
    });
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    check('a platform starts on it', error.message, 'a started one');
  }
}
