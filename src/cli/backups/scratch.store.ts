import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../kernel/database/database.ts';

const PREFIX = 'restore_check_';

/** A run has a session all the time but for moments, in which it must not be taken for one that has ended. */
const BETWEEN_LOOKS_MS = 2_000;

export const newScratchName = (): string => `${PREFIX}${randomBytes(4).toString('hex')}`;

async function administer<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Creates an empty database beside that of a URL; returns its URL and what drops it.
 * @param name letters, digits and underscores
 */
export async function createScratch(
  url: string,
  name: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  await administer(url, (database) =>
    database.execute(`create database ${name} template template0 encoding 'UTF8'`),
  );
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    await administer(url, (database) => database.execute(`drop database if exists ${name} with (force)`));
  };
  return { url: scratch.href, drop };
}

/** Drops the scratch databases of runs that were killed: those of this user that no session uses. */
export async function dropLeftovers(url: string): Promise<void> {
  await administer(url, async (database) => {
    if ((await unused(database)).length === 0) return;
    await sleep(BETWEEN_LOOKS_MS);
    for (const name of await unused(database)) {
      // Without force, so that one which is used after all stays.
      const isDropped = await database.execute(`drop database if exists ${name}`).then(
        () => true,
        () => false,
      );
      if (isDropped) console.log(`dropped ${name}, which a former run has left`);
    }
  });
}

const unused = async (database: Database): Promise<string[]> =>
  (
    await database.all<{ name: string }>(
      `select datname as name from pg_database d
       where datname ~ '^${PREFIX}[0-9a-f]{8}$' and pg_has_role(datdba, 'member')
         and not exists (select from pg_stat_activity a where a.datname = d.datname)
       order by 1`,
    )
  ).map(({ name }) => name);
