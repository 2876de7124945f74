// What grows, and how much: bytes for each row with its indexes, what so many members need, what dropping a month costs beside
// deleting its rows, and whether tables are better divided by hash. `npm run bench:growth`; docs/capacity.md has the last result.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migratePlatform } from '../src/app/schema.ts';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { startChild } from './children.ts';
import { capacities, type Measured } from './growth-capacity.ts';
import { compareHashes } from './growth-hash.ts';
import { FILLINGS, FUNCTIONS } from './growth-rows.ts';

const ROWS = Number(process.env.ROWS ?? 200_000);

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
await cluster.createDatabase('platform');
const url = cluster.urlOf('platform');
await migratePlatform(url);
const client = new pg.Client({ connectionString: url });
await client.connect();

const bytesOf = async (table: string): Promise<number> => {
  const { rows } = await client.query(
    `select sum(pg_total_relation_size(part)) as bytes from (
       select $1::regclass as part union select relid from pg_partition_tree($1) where isleaf) parts`,
    [table],
  );
  return Number(rows[0].bytes);
};
const timedMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

async function measureRows(): Promise<Measured[]> {
  await client.query(FUNCTIONS);
  const measured: Measured[] = [];
  // Rules between tables do not matter to their sizes.
  await client.query('set session_replication_role = replica');
  for (const filling of FILLINGS) {
    const before = await bytesOf(filling.table);
    const { rowCount } = await client.query(filling.insert, [ROWS]);
    await client.query(`vacuum analyze ${filling.table}`);
    const bytes = ((await bytesOf(filling.table)) - before) / (rowCount ?? 1);
    measured.push({ ...filling, bytes: Math.round(bytes) });
  }
  await client.query('set session_replication_role = origin');
  return measured;
}

/** The rows are those that were written before the table was divided; deleting them row by row is measured on a copy. */
async function measureDrop(): Promise<object> {
  await client.query('create table bench.copy (like notifications.notification including all)');
  await client.query('insert into bench.copy select * from notifications.notification');
  await client.query('vacuum analyze bench.copy');
  const deleteMs = await timedMs(() =>
    client.query('delete from bench.copy where id in (select id from bench.copy)'),
  );
  const ends = (
    await client.query(`select ends::text from kernel.months_of('notifications.notification') limit 1`)
  ).rows[0].ends;
  const dropMs = await timedMs(() =>
    client.query('select kernel.drop_month($1, $2, $3)', [
      'notifications.notification',
      'notification_before',
      ends,
    ]),
  );
  return {
    rows: ROWS.toLocaleString('en-US'),
    'deleted row by row': `${Math.round(deleteMs)} ms, and a vacuum`,
    'dropped as a month': `${Math.round(dropMs)} ms`,
  };
}

/** The resident memory of an idle process that serves and works. */
async function measureMemory(): Promise<number> {
  const platform = await startChild(['src/main.js', 'start'], {
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
  });
  const status = readFileSync(`/proc/${platform.process.pid}/status`, 'utf8');
  await platform.stop();
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000;
}

try {
  const measured = await measureRows();
  console.table(
    measured.map(({ what, table, bytes, perMemberDay, retention }) => ({
      what,
      table,
      'bytes with indexes': bytes,
      'rows a member and day': perMemberDay,
      kept: retention ? `${retention.days} days, ${retention.setting}` : 'for ever',
    })),
  );
  console.table(await compareHashes(client, ROWS));
  console.table([await measureDrop()]);
  const megabytes = await measureMemory();
  console.log(`a process has ${Math.round(megabytes)} MB of memory after its start`);
  console.table(capacities(measured, megabytes * 1.5));
} finally {
  await client.end();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
