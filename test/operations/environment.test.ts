import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { ownDatabase } from '../support/own-database.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-environment-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const OTHER = { production: 'development', development: 'production' } as const;
/** A process without ENVIRONMENT is one of development. */
const SETTINGS = {
  production: { ...PRODUCTION, DATA_DIR: join(folder, 'production'), DRAIN_SECONDS: '0' },
  development: { DATA_DIR: join(folder, 'development'), PORT: '0', DATABASE_CONNECTIONS: '6' },
};
const run = (line: string, settings: Record<string, string>) =>
  runProgram(['src/main.js', ...line.split(' ')], settings);

for (const first of ['production', 'development'] as const) {
  const other = OTHER[first];
  test(`a process of ${other} does not work on the database of ${first}, until a command says so`, async () => {
    const { database, url: DATABASE_URL } = await ownDatabase();
    const accounts = () => database.count('select count(*) from identity."user"');
    const started = await startProgram(['src/main.js', 'start'], { ...SETTINGS[first], DATABASE_URL });
    const early = await run(`environment set --to ${other}`, { ...SETTINGS[first], DATABASE_URL });
    assert.deepEqual([early.code, early.output], [1, '']);
    assert.match(early.complaints, /^Processes work on the database, from a socket: stop them first\.$/m);
    await started.end('SIGTERM');
    const before = await accounts();

    const foreign = { ...SETTINGS[other], DATABASE_URL };
    const lines = [
      'start',
      'migrate',
      'seed',
      'keys create --name x --tier mobile',
      'signing-keys rotate',
      'verify',
    ];
    for (const line of lines) {
      const { code, output, complaints } = await run(line, foreign);
      assert.deepEqual([code, output], [1, ''], line);
      assert.ok(
        complaints.includes(
          `The database of DATABASE_URL is that of a ${first} installation, and this process is one of ${other}. Set `,
        ),
        complaints,
      );
      assert.doesNotMatch(complaints, /\n +at /);
    }
    assert.equal(await accounts(), before, 'no administrator was created');

    const changed = await run(`environment set --to ${other}`, { ...SETTINGS[first], DATABASE_URL });
    assert.equal(changed.code, 0, changed.complaints);
    assert.match(
      changed.output,
      new RegExp(`^The database is now that of ${other}, and was that of ${first}\\.\n.+\n$`),
    );
    assert.equal((await run('migrate', foreign)).code, 0);
    assert.equal((await run('migrate', { ...SETTINGS[first], DATABASE_URL })).code, 1);
  });
}

test('a database learns its environment from the first migration, and one of a former release from the next', async (t) => {
  const { url: DATABASE_URL, drop } = await newDatabase();
  t.after(drop);
  const migrated = await run('migrate', { ...SETTINGS.production, DATABASE_URL });
  assert.equal(migrated.code, 0, migrated.complaints);
  assert.equal((await run('migrate', { ...SETTINGS.development, DATABASE_URL })).code, 1);
  const same = await run('environment set --to production', { ...SETTINGS.development, DATABASE_URL });
  assert.deepEqual([same.code, same.output], [0, 'The database is that of production already.\n']);

  const { database, url } = await ownDatabase();
  await database.execute('drop table kernel.environment');
  await database.execute(`delete from kernel.migration where name like '%environment%'`);
  assert.equal((await run('migrate', { ...SETTINGS.production, DATABASE_URL: url })).code, 0);
  assert.equal((await run('keys list', { ...SETTINGS.development, DATABASE_URL: url })).code, 1);
});

test('a database of a former release with API keys of production is one of production', async () => {
  const { database, url: DATABASE_URL } = await ownDatabase();
  const made = await run('keys create --name x --tier mobile', { ...SETTINGS.production, DATABASE_URL });
  assert.equal(made.code, 0, made.complaints);
  await database.execute('drop table kernel.environment');
  await database.execute(`delete from kernel.migration where name like '%environment%'`);
  const migrated = await run('migrate', { ...SETTINGS.development, DATABASE_URL });
  assert.equal(migrated.code, 1, migrated.output);
  assert.match(migrated.complaints, /is that of a production installation/);
  assert.equal((await run('keys list', { ...SETTINGS.production, DATABASE_URL })).code, 0);
});

test('an environment that does not exist is refused', async () => {
  const { code, complaints } = await run('environment set --to staging', { DATABASE_URL: 'no url' });
  assert.equal(code, 2);
  assert.match(complaints, /^--to is one of development, production\n/);
});
