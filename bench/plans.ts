// `node bench/plans.ts`: the plans of the queries over users, with a million of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../src/kernel/postgres/cluster.ts';
import { migratePlatform } from '../src/platform.ts';

const USERS = 1_000_000;
const QUERIES: Record<string, string> = {
  'distribution of permissions':
    'select permission, users from identity.permission_count where users > 0 order by users desc, permission limit 1000',
  'count of one permission': "select users from identity.permission_count where permission = 'educator'",
  'search, a page':
    "select id from identity.user where deleted_at is null and searchable like '%user77777%' order by id desc limit 10",
  'search, the count':
    "select count(*) from identity.user where deleted_at is null and searchable like '%user77777%'",
  'by permission, a page':
    "select id from identity.user where deleted_at is null and permissions && array['moderator'] order by id desc limit 10",
  'by permission, the count':
    "select count(*) from identity.user where deleted_at is null and permissions && array['moderator']",
  'all, a page': 'select id from identity.user where deleted_at is null order by id desc limit 10',
  'all, the count': 'select count(*) from identity.user where deleted_at is null',
};

const folder = mkdtempSync(join(tmpdir(), 'platform-plans-'));
const cluster = await startCluster({ folder, settings: { fsync: 'off', max_wal_size: '8GB' } });
try {
  await cluster.createDatabase('platform');
  await migratePlatform(cluster.urlOf('platform'));
  const client = new pg.Client({ connectionString: cluster.urlOf('platform') });
  await client.connect();
  await client.query('alter table identity.user disable trigger user_permissions_counted');
  await client.query(`
    insert into identity.user (id, email, username, first_name, last_name, permissions, created_at, updated_at)
    select lpad(to_hex(i), 24, '0'), 'user' || i || '@example.com', 'user' || i,
      (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'])[1 + i % 5], 'Surname' || (i % 5000),
      case when i % 100 = 0 then array['educator'] when i % 1000 = 1 then array['moderator', 'read_users'] else '{}' end,
      now(), now()
    from generate_series(1, ${USERS}) i`);
  await client.query(
    'insert into identity.permission_count select unnest(permissions), count(*) from identity.user group by 1',
  );
  await client.query('vacuum analyze');
  for (const [name, query] of Object.entries(QUERIES)) {
    const { rows } = await client.query(`explain (analyze, costs off, buffers off) ${query}`);
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
  }
  await client.end();
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
