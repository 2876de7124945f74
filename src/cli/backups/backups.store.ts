import { storedEnvironment } from '../../kernel/database/environment.ts';
import type { Queries } from '../../kernel/database/queries.ts';

/** Row counts, by table. */
export type Counts = Record<string, number>;

/** SQL of backups and of their restoration. */
export const backupStore = {
  /** Returns a name under which another connection can read the same snapshot, while the transaction is open. */
  exportSnapshot: async (queries: Queries): Promise<string> =>
    ((await queries.first<{ id: string }>('select pg_export_snapshot() as id')) as { id: string }).id,
  now: async (queries: Pick<Queries, 'first'>): Promise<Date> =>
    ((await queries.first<{ now: Date }>('select now()')) as { now: Date }).now,
  serverMajor: async (queries: Pick<Queries, 'count'>): Promise<number> =>
    Math.floor(
      (await queries.count(`select current_setting('server_version_num')::integer as version`)) / 10_000,
    ),
  /** Makes a restored copy that of no environment, so that a process of any may check it. */
  forgetEnvironment: async (queries: Pick<Queries, 'execute' | 'first'>): Promise<void> => {
    // The dump may be of a release that did not have it.
    if ((await storedEnvironment(queries)) !== undefined)
      await queries.execute('delete from kernel.environment');
  },
  /** Counts the rows of every table but unlogged ones, whose rows do not survive a crash either. */
  async counts(queries: Pick<Queries, 'all' | 'count'>): Promise<Counts> {
    const tables = await queries.all<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and relpersistence = 'p' and nspname not like 'pg\\_%' and nspname <> 'information_schema'
       order by 1`,
    );
    const counts: Counts = {};
    for (const { name } of tables) counts[name] = await queries.count(`select count(*) from ${name}`);
    return counts;
  },
};
