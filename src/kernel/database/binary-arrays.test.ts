import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { newDatabase } from '../../../test/support/databases.ts';
import { bigintArray, byteaArray, textArray } from './binary-arrays.ts';

const { url, drop } = await newDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await drop();
});
const echo = async (type: string, value: Buffer) =>
  (await client.query({ name: type, text: `select $1::${type}[] as value`, values: [value] })).rows[0].value;

/** What PostgreSQL can hold: no NUL, no half of a surrogate pair. */
const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => value.toWellFormed().replaceAll('\0', ''));

test('texts and nulls in a binary array arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 20 }), async (values) => {
      assert.deepEqual(await echo('text', textArray(values)), values);
    }),
  );
});

test('64-bit integers in a binary array arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.maxSafeInteger()), {
        maxLength: 20,
      }),
      async (values) => {
        assert.deepEqual(await echo('bigint', bigintArray(values)), values.map(String));
      },
    ),
  );
});

test('byte strings in a binary array arrive unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), async (values) => {
      const buffers = values.map((value) => Buffer.from(value));
      assert.deepEqual(await echo('bytea', byteaArray(buffers)), buffers);
    }),
  );
});

test('a text that PostgreSQL cannot store is rejected, as by the driver', async () => {
  await assert.rejects(echo('text', textArray(['a\0b'])), /invalid byte sequence/);
});
