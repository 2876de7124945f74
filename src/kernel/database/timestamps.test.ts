import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from './database.ts';
import { isoText, TIMESTAMPTZ, timestamp } from './timestamps.ts';

const parse = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date | number;

test('every timestamp is read as the instant that was written', async () => {
  const { url, drop } = await newDatabase();
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    const dates = fc.sample(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      500,
    );
    const { rows } = await client.query({
      text: 'select t::text as at from unnest($1::timestamptz[]) with ordinality as u (t, n) order by n',
      values: [dates.map((date) => date.toISOString())],
    });
    assert.deepEqual(
      rows.map(({ at }) => timestamp(at).getTime()),
      dates.map((date) => date.getTime()),
    );
    assert.deepEqual(
      rows.map(({ at }) => isoText(at)),
      dates.map((date) => date.toISOString()),
    );
  } finally {
    await client.end();
    await drop();
  }
});

test('timestamps that are not ISO 8601 in UTC are parsed by the driver', () => {
  for (const text of [
    'infinity',
    '-infinity',
    '10000-01-01 00:00:00+00',
    '0044-03-15 00:00:00+00 BC',
    '2026-01-31 12:34:56+02',
    '2026-01-31 12:34:56.5-03:30',
  ])
    assert.deepEqual(timestamp(text), parse(text), text);
});

test('timestamps are read whatever style of dates and time zone the database has', async () => {
  const { url, drop } = await newDatabase();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const name = (await owner.query('select current_database() as name')).rows[0].name;
  await owner.query(`alter database ${name} set datestyle to SQL, DMY`);
  await owner.query(`alter database ${name} set timezone to 'Europe/Berlin'`);
  const at = new Date('2026-02-01T12:34:56.789Z');
  const expected = { at, text: '2026-02-01 12:34:56.789+00' };
  const question = 'select $1::timestamptz as at, $1::timestamptz::text as text';
  try {
    for (const pooler of ['none', 'session', 'transaction'] as const) {
      const database = openDatabase({ url, pooler, connections: 1, onBackgroundError: () => undefined });
      assert.deepEqual(await database.first(question, [at]), expected, pooler);
      assert.deepEqual(await database.transaction((tx) => tx.first(question, [at])), expected, pooler);
      assert.deepEqual(await database.snapshot((queries) => queries.first(question, [at])), expected, pooler);
      assert.deepEqual(
        await database.heavy.run((queries) => queries.first(question, [at])),
        expected,
        pooler,
      );
      await database.close();
    }
  } finally {
    await owner.end();
    await drop();
  }
});

test('microseconds are truncated, as the driver does', () => {
  assert.equal(timestamp('2026-01-31 12:34:56.123999+00').toISOString(), '2026-01-31T12:34:56.123Z');
  assert.equal(timestamp('2026-01-31 12:34:56.1+00').toISOString(), '2026-01-31T12:34:56.100Z');
  assert.equal(timestamp('2026-01-31 12:34:56+00').toISOString(), '2026-01-31T12:34:56.000Z');
});

test('the text of a timestamp is that of its date', () => {
  for (const text of [
    '2026-01-31 12:34:56+00',
    '2026-01-31 12:34:56.1+00',
    '2026-01-31 12:34:56.12+00',
    '2026-01-31 12:34:56.123+00',
    '2026-01-31 12:34:56.123999+00',
    '10000-01-01 00:00:00+00',
    '2026-01-31 12:34:56.5-03:30',
  ])
    assert.equal(isoText(text), timestamp(text).toISOString(), text);
});
