import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from '../database/database.ts';
import { only } from '../only.ts';
import { JOB_SCHEMA } from './job-schema.ts';
import { prepareOwnStatements } from './queue-connections.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
const boss = new PgBoss({
  connectionString: url,
  schema: JOB_SCHEMA,
  supervise: false,
  schedule: false,
  migrate: false,
});
await boss.start();
after(async () => {
  await boss.stop({ graceful: false, close: true });
  await database.close();
  await drop();
});

test('jobs are claimed by their keys, whatever PostgreSQL knows of the table', async (t) => {
  const { pool } = boss.getDb() as unknown as { pool: pg.Pool };
  prepareOwnStatements(boss, () => undefined);
  await boss.createQueue('test.backlog');
  await boss.insert(
    'test.backlog',
    Array.from({ length: 300 }, (_, number) => ({ data: { number } })),
  );
  const query = t.mock.method(pool, 'query');
  assert.equal((await boss.fetch('test.backlog', { batchSize: 100 }))?.length, 100);
  const sent = query.mock.calls.map(
    ({ arguments: [config] }) => (config as unknown as { text: string }).text,
  );
  const claim = only(sent.filter((text) => text.includes('FOR UPDATE')));
  const plan = await database.all<{ 'QUERY PLAN': string }>(`explain ${claim}`);
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
  assert.match(lines, /Index Cond: \(\(name = 'test\.backlog'::text\) AND \(id = ANY/);
  assert.doesNotMatch(lines, /Join/);
});
