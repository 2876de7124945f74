import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { STATEMENT_DECLARED } from '../../src/kernel/database/queries.ts';
import { newDatabase } from '../support/databases.ts';

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

test('every statement can be prepared against the migrated schema', async () => {
  assert.ok(declared.length > 30, `only ${declared.length} statements were found`);
  const faults: string[] = [];
  for (const [place, { name, text }] of declared.entries()) {
    await client.query(`prepare statement_${place} as ${text}`).catch((error: Error) => {
      faults.push(`${name}: ${error.message}`);
    });
  }
  assert.deepEqual(faults, []);
});

test('the name of a statement stands for one text', () => {
  const texts = Map.groupBy(declared, ({ name }) => name);
  const doubled = [...texts].filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1);
  assert.deepEqual(
    doubled.map(([name]) => name),
    [],
  );
});
