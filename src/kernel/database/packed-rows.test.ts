import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newDatabase } from '../../../test/support/databases.ts';
import { openDatabase } from './database.ts';
import { orEmpty, type PackedRow, packedColumns, unpacked } from './packed-rows.ts';
import { isoText } from './timestamps.ts';

test('packed rows arrive as they were stored, whatever people have written', async () => {
  const { url, drop } = await newDatabase();
  const database = openDatabase({ url, connections: 1, onBackgroundError: assert.ifError });
  const text = fc.string({ unit: fc.constantFrom('\x1f', '\x1e', '\\', '"', 'a', ' ', 'é') });
  const row = fc.tuple(
    fc.option(fc.stringMatching(/^[a-z]{0,3}$/)),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), text),
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    text,
  );
  try {
    const rows = fc.sample(row, 300);
    const columns = [orEmpty('"0"'), '"1"', '"2"', '"3"'];
    const found = await database.all<PackedRow>(
      `select ${packedColumns(columns)}
       from jsonb_to_recordset($1::text::jsonb) as _("n" int, "0" text, "1" jsonb, "2" timestamptz, "3" text) order by n`,
      [JSON.stringify(rows.map((values, n) => ({ ...values, n })))],
    );
    assert.equal(found.length, rows.length);
    for (const [place, [word, json, at, last]] of rows.entries()) {
      const texts = unpacked(found[place] as PackedRow, columns.length);
      const [, document = '', time = ''] = texts;
      assert.deepEqual(
        [texts[0], JSON.parse(document), isoText(time), texts[3]],
        [word ?? '', JSON.parse(JSON.stringify(json)), at.toISOString(), last],
      );
    }
  } finally {
    await database.close();
    await drop();
  }
});
