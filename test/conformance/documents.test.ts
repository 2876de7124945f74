import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { derivedTables, eventKinds, webhookTables } from '../support/documents.ts';

const placeOf = (name: string): RegExp =>
  new RegExp(`(<!-- derived: ${name} -->\n)[^]*?(\n<!-- /derived -->)`);

// UPDATE_DOCS=1 writes them: `UPDATE_DOCS=1 npm test -- test/conformance/documents.test.ts`.
/** The documents that have such tables. */
const DOCUMENTS: Record<string, (text: string) => Record<string, string> | Promise<Record<string, string>>> =
  {
    'docs/api.md': derivedTables,
    'docs/webhooks.md': webhookTables,
  };
for (const [path, tablesOf] of Object.entries(DOCUMENTS))
  test(`the tables of ${path} are those that follow from the program`, async () => {
    const file = new URL(`../../${path}`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    let expected = text;
    for (const [name, table] of Object.entries(await tablesOf(text))) {
      assert.match(expected, placeOf(name), `${path} has no place for ${name}`);
      expected = expected.replace(placeOf(name), (_all, start, end) => start + table + end);
    }
    if (process.env.UPDATE_DOCS) writeFileSync(file, expected);
    else assert.equal(text, expected, 'run it with UPDATE_DOCS=1');
  });

test('events have names of their own, a version and a shape of objects', async () => {
  const kinds = await eventKinds();
  assert.ok(kinds.length > 20);
  assert.equal(new Set(kinds.map(({ name }) => name)).size, kinds.length);
  for (const { name, version, shape } of kinds) {
    assert.match(name, /^[a-z]+\.[a-z-]+$/);
    assert.ok(Number.isInteger(version) && version > 0, name);
    assert.equal(shape.type, 'object', name);
  }
});
