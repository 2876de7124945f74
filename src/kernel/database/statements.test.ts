import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { newDatabase } from '../../../test/support/databases.ts';
import { sqlTexts } from '../../../test/support/sql-texts.ts';
import { STATEMENT_DECLARED } from './queries.ts';

interface Declared {
  name: string;
  text: string;
}

const declared: Declared[] = [];
diagnostics.subscribe(STATEMENT_DECLARED, (message) => declared.push(message as Declared));
for (const file of globSync('src/**/*.ts').filter((name) => !/\.test\.ts$|main\.ts$/.test(name)))
  await import(pathToFileURL(file).href);

const { url, drop } = await newDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await drop();
});

/** Prepares each text, and returns what PostgreSQL has against it. */
async function faultsOf(all: Declared[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, text } of all) {
    await client.query(`prepare tried as ${text}`).then(
      () => client.query('deallocate tried'),
      (error: Error) => faults.push(`${name}: ${error.message}`),
    );
  }
  return faults;
}

test('every statement can be prepared against the migrated schema', async () => {
  assert.ok(declared.length > 30, `only ${declared.length} statements were found`);
  assert.deepEqual(await faultsOf(declared), []);
});

test('every SQL text of the source can be prepared, but for the few that are put together at run time', async () => {
  const { texts, unread } = sqlTexts();
  const preparable = texts.filter(({ text }) => /^\s*(select|with|insert|update|delete)/.test(text));
  assert.ok(preparable.length > 150, `only ${preparable.length} texts were found`);
  assert.deepEqual(await faultsOf(preparable.map(({ at, text }) => ({ name: at, text }))), []);
  // A table, a direction or a filter that is chosen at run time is beyond the reach of this test.
  assert.ok(unread.length * 10 < texts.length, `too many texts are not constant: ${unread.join(', ')}`);
});

test('the name of a statement stands for one text', () => {
  const texts = Map.groupBy(declared, ({ name }) => name);
  const doubled = [...texts].filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1);
  assert.deepEqual(
    doubled.map(([name]) => name),
    [],
  );
});
