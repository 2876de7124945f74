import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownDatabase } from '../support/own-database.ts';
import { PRODUCTION, runProgram } from '../support/programs.ts';

/** Command lines that work on an installation as it is. */
const AS_IT_IS = [
  'verify',
  `payments replay --since ${new Date(Date.now() - 60_000).toISOString()}`,
  `backup --to ${join(tmpdir(), 'platform-never-written')}`,
  'secret-key rotate --count',
  'secret-key rotate',
  'signing-keys rotate',
  'keys list',
  'keys create --name x --tier mobile',
  `keys revoke --id ${'0'.repeat(24)}`,
  'admin create --email eve@example.com',
  'environment set --to production',
];
const runOn = (DATABASE_URL: string, line: string) =>
  runProgram(
    ['src/main.js', ...line.split(' ')],
    { ...PRODUCTION, DATABASE_URL },
    { input: 'a password of the tests\n' },
  );

test('commands that work on an installation make none in an empty database, and say that DATABASE_URL may be wrong', async () => {
  const { url, database } = await ownDatabase(3, 'template0');
  for (const line of AS_IT_IS) {
    const { code, output, complaints } = await runOn(url, line);
    assert.deepEqual([code, output], [1, ''], line);
    assert.equal(
      complaints.trim().split('\n').at(-1),
      'There is no installation in the database. If there should be one, check DATABASE_URL (or DATA_DIR, for the embedded database). For a new one run "migrate" or "start" first.',
      line,
    );
  }
  const schemas = await database.all<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^(pg_|information)'`,
  );
  assert.deepEqual(schemas, [{ name: 'public' }]);
});

test('commands that work on an installation refuse an older schema, and do not migrate it', async () => {
  const { url, database } = await ownDatabase();
  await database.execute(`delete from kernel.migration where module = 'trades'`);
  const applied = () => database.count('select count(*) from kernel.migration');
  const before = await applied();
  for (const line of AS_IT_IS) {
    const { code, output, complaints } = await runOn(url, line);
    assert.deepEqual([code, output], [1, ''], line);
    assert.match(
      complaints,
      /^The schema of the database is too old: it lacks trades\/\S+(, trades\/\S+)*\. Run "migrate" of this release first, or this command with the release that the database is of\.$/m,
    );
  }
  assert.equal(await applied(), before);
});
