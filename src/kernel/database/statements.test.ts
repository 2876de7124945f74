import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { globSync } from 'node:fs';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type ClaimedRow, claimedRows } from '../../../test/support/claimed-rows.ts';
import { newDatabase } from '../../../test/support/databases.ts';
import { sqlTexts } from '../../../test/support/sql-texts.ts';
import { STATEMENT_DECLARED } from './queries.ts';
import { camelCase } from './rows.ts';
import type { Connection } from './transaction.ts';

interface Declared {
  name: string;
  text: string;
}

const declared: Declared[] = [];
diagnostics.subscribe(STATEMENT_DECLARED, (message) => declared.push(message as Declared));
for (const file of globSync('src/**/*.ts').filter((name) => !/\.test\.ts$|main\.ts$/.test(name)))
  await import(pathToFileURL(file).href);
// What declares statements is loaded after the subscription.
const { startPlatform } = await import('../../../test/support/platform.ts');
const { makePlan } = await import('../../cli/seeding/plan.store.ts');
const { transactionOver } = await import('./transaction.ts');

const { url, drop } = await newDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
// Seeds read temporary tables, which the plan and earlier seeds create.
const tx = transactionOver(client as Connection, [], []);
const plan = { members: 1, educators: 1, days: 1, passwordHash: '' };
await makePlan(tx, plan);
for (const load of (await startPlatform()).platform.seeds) await (await load()).large?.(tx, plan);
after(async () => {
  await client.end();
  await drop();
});

interface Column {
  name: string;
  dataTypeID: number;
}

/** Prepares a text and returns the columns of its result. */
const columnsOf = (text: string): Promise<Column[]> =>
  new Promise((resolve, reject) => {
    let columns: Column[] = [];
    client.query({
      submit: (connection: pg.Connection) => {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: Column[] }) => {
        columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as unknown as pg.Submittable);
  });

/** Returns PostgreSQL's errors for these texts. */
async function faultsOf(all: Declared[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, text } of all)
    await columnsOf(text).catch((error: Error) => faults.push(`${name}: ${error.message}`));
  return faults;
}

test('every statement can be prepared against the migrated schema', async () => {
  assert.ok(declared.length > 30, `only ${declared.length} statements were found`);
  assert.deepEqual(await faultsOf(declared), []);
});

test('every SQL text of the source can be prepared, but for the few that are put together at run time', async () => {
  const { texts, unread, unreadWrites } = sqlTexts();
  const preparable = texts.filter(({ text }) => /^\s*(select|with|insert|update|delete)/.test(text));
  assert.ok(preparable.length > 150, `only ${preparable.length} texts were found`);
  assert.deepEqual(await faultsOf(preparable.map(({ at, text }) => ({ name: at, text }))), []);
  assert.deepEqual(unreadWrites, [], 'the columns of a write are spelled in the source');
  // A table, a direction or a filter that is chosen at run time is beyond the reach of this test.
  assert.ok(unread.length * 10 < texts.length, `too many texts are not constant: ${unread.join(', ')}`);
});

test('each statement name has a single text', () => {
  const texts = Map.groupBy(declared, ({ name }) => name);
  const doubled = [...texts].filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1);
  assert.deepEqual(
    doubled.map(([name]) => name),
    [],
  );
});

/** The JavaScript type in which the driver returns a value of each column type. */
const { builtins } = pg.types;
const KINDS: Record<number, string> = {
  [builtins.BOOL]: 'boolean',
  [builtins.INT2]: 'number',
  [builtins.INT4]: 'number',
  [builtins.INT8]: 'number',
  [builtins.FLOAT4]: 'number',
  [builtins.FLOAT8]: 'number',
  [builtins.NUMERIC]: 'number',
  [builtins.TEXT]: 'string',
  [builtins.VARCHAR]: 'string',
  [builtins.BPCHAR]: 'string',
  [builtins.TIMESTAMPTZ]: 'Date',
  [builtins.BYTEA]: 'Buffer',
};

/** Returns the differences between a row type and the columns of its query. */
function misfitsOf(properties: ClaimedRow['properties'], columns: Column[]): string[] {
  const misfits: string[] = [];
  const names = columns.map(({ name }) => camelCase(name));
  for (const [name, { isOptional }] of properties)
    if (!isOptional && !names.includes(name)) misfits.push(`${name} is not selected`);
  for (const [place, name] of names.entries()) {
    const claimed = properties.get(name);
    const kind = KINDS[columns[place]?.dataTypeID as number];
    if (names.indexOf(name) !== place) misfits.push(`${name} is selected twice`);
    else if (!claimed) misfits.push(`${name} is selected, and not in the row type`);
    else if (kind && claimed.kinds.size > 0 && !claimed.kinds.has(kind))
      misfits.push(`${name} arrives as a ${kind}, not as ${[...claimed.kinds].join(' or ')}`);
  }
  return misfits;
}

test('every query answers with the columns of its row type', async () => {
  const texts = new Map(declared.map(({ name, text }) => [name, text]));
  const claims = claimedRows();
  assert.ok(claims.length > 300, `only ${claims.length} row types were found`);
  const faults: string[] = [];
  for (const { at, query, properties } of claims) {
    const text = 'text' in query ? query.text : (texts.get(query.name) as string);
    for (const misfit of misfitsOf(properties, await columnsOf(text))) faults.push(`${at}: ${misfit}`);
  }
  assert.deepEqual(faults, []);
});
