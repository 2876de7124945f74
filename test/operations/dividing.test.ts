// An installation with rows is divided by month while the program serves, and keeps what its members see.
import assert from 'node:assert/strict';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { migratePlatform } from '../../src/app/schema.ts';
import type { MigrationSet } from '../../src/kernel/database/migration-files.ts';
import { migrate } from '../../src/kernel/database/migrations.ts';
import { newDatabase } from '../support/databases.ts';

/** The first migration of each module that divides its tables, or needs what a later one of the kernel makes. */
const DIVIDING: Record<string, string> = {
  kernel: '0011',
  gateway: '0007',
  analytics: '0009',
  notifications: '0007',
  watching: '0004',
};

/** The migrations of the release before tables were divided. */
function formerMigrations(): MigrationSet[] {
  const folder = mkdtempSync(join(tmpdir(), 'platform-former-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const paths = globSync('src/{kernel,gateway,modules/*}/migrations/*.sql').sort();
  const moduleOf = (path: string) => basename(dirname(dirname(path)));
  const former = paths.filter((path) => basename(path) < (DIVIDING[moduleOf(path)] ?? '9'));
  for (const path of former) cpSync(path, join(folder, moduleOf(path), basename(path)));
  const modules = [...new Set(former.map(moduleOf))];
  return ['kernel', 'gateway', ...modules.filter((name) => name !== 'kernel' && name !== 'gateway')].map(
    (module) => ({ module, folder: pathToFileURL(`${join(folder, module)}/`) }),
  );
}

const { url, drop } = await newDatabase('template1');
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await drop();
});
await migrate(url, formerMigrations());

const NOW_SECONDS = Math.floor(Date.now() / 1000);
const idOf = (daysAgo: number, n: number): string =>
  (NOW_SECONDS - daysAgo * 86_400).toString(16).padStart(8, '0') + n.toString(16).padStart(16, '0');
const ADA = 'a'.repeat(24);
const rowsOf = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

const NOTIFY = `insert into notifications.notification
  (id, user_id, type, title, message, priority, channels, subject, created_at)
  values ($1, $2, 'follow', 'T', 'M', 'low', '{}', $3, now())`;
for (let n = 0; n < 40; n++)
  await client.query(NOTIFY, [idOf(n * 20, n), ADA, `education.course-published:${idOf(n * 20, 1000 + n)}`]);
await client.query('update notifications.notification set read_at = now() where id < $1', [idOf(100, 0)]);
for (let n = 0; n < 40; n++)
  await client.query(
    `insert into notifications.delivery (notification_id, channel, user_id, status, created_at) values ($1, 'email', $2, $3, now())`,
    [idOf(n * 20, n), ADA, n % 10 === 9 ? 'pending' : 'sent'],
  );
for (let n = 0; n < 40; n++)
  await client.query(
    `insert into watching.session (id, user_id, content_type, content_id, platform, started_at, seen_at, ended_at, check_at)
     values ($1, $2, 'lesson', $2, 'web', now() - $3 * interval '1 day', now() - $3 * interval '1 day', now(), now())`,
    [idOf(n * 20, n), ADA, n * 20],
  );
const before = await rowsOf('select total, unread from notifications.tally');

test('dividing tables that have rows keeps the rows, the counts, and what members were told of', async () => {
  const applied = await migratePlatform(url);
  assert.ok(applied.includes('notifications/0009-months.sql'));
  const counted = `select sum(total)::text as total, sum(unread)::text as unread from notifications.tally`;
  assert.deepEqual(await rowsOf(counted), before);
  const [{ notifications, deliveries, sessions }] = await rowsOf(
    `select (select count(*)::int from notifications.notification) as notifications,
       (select count(*)::int from notifications.delivery) as deliveries,
       (select count(*)::int from watching.session) as sessions`,
  );
  assert.deepEqual([notifications, deliveries, sessions], [40, 40, 40]);
  const told = await rowsOf('select subject from notifications.told order by subject desc limit 1');
  assert.equal(told[0].subject, `${idOf(0, 1000)}:education.course-published`);
  await client.query('update notifications.notification set read_at = now() where id = $1', [idOf(20, 1)]);
  await client.query('delete from notifications.notification where id = $1', [idOf(0, 0)]);
  assert.deepEqual(await rowsOf(counted), [
    { total: String(before[0].total - 1), unread: String(before[0].unread - 2) },
  ]);
});

test('the indexes of a divided table are those that it had', async () => {
  const indexes = await rowsOf(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('watching.session'::regclass, 'notifications.notification'::regclass, 'notifications.delivery'::regclass,
       'notifications.tally'::regclass, 'notifications.told'::regclass) order by 1`,
  );
  assert.deepEqual(
    indexes.filter(({ valid }) => !valid),
    [],
  );
  assert.deepEqual(
    indexes.map(({ name }) => name),
    [
      'delivery_batched',
      'delivery_listing',
      'delivery_of_user',
      'delivery_pkey',
      'delivery_transactional',
      'notification_by_type',
      'notification_listing',
      'notification_pkey',
      'notification_unread',
      'session_by_start',
      'session_long',
      'session_of_user',
      'session_open',
      'session_open_of_member',
      'session_pkey',
      'session_to_check',
      'session_viewers',
      'tally_pkey',
      'told_pkey',
    ],
  );
  const built = await rowsOf(
    `select relname, relfilenode from pg_class where relname = 'before_session_by_start'`,
  );
  assert.equal(built.length, 1, 'the index of the former table is part of the divided one');
});

test('what outlives a month is found by indexes, since the table is locked meanwhile', async () => {
  await client.query('begin');
  await client.query('set local enable_seqscan = off');
  for (const name of ['notifications.notification', 'notifications.delivery']) {
    const [{ keeps }] = await rowsOf(
      `select kernel.condition_of(m, first_month) as keeps from kernel.monthly m where name = $1`,
      [name],
    );
    const plan = await rowsOf(`explain select * from ${name}_before as part where ${keeps}`);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.doesNotMatch(text, /Seq Scan/, text);
  }
  await client.query('rollback');
});

test('the part from before goes as a whole; what is under way stays and is counted', async () => {
  await client.query('begin');
  const [{ ends }] = await rowsOf(
    `select ends::text from kernel.months_of('notifications.notification') limit 1`,
  );
  for (const [table, part] of [
    ['tally', 'tally_before'],
    ['notification', 'notification_before'],
  ])
    await client.query('select kernel.drop_month($1, $2, $3)', [`notifications.${table}`, part, ends]);
  const left = await rowsOf('select id from notifications.notification');
  assert.deepEqual(
    left.map(({ id }) => id).sort(),
    [39, 29, 19, 9].map((n) => idOf(n * 20, n)),
  );
  assert.deepEqual(await rowsOf('select total::int, unread::int from notifications.tally'), [
    { total: 4, unread: 0 },
  ]);
  await client.query('rollback');
});
