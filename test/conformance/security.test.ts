// docs/security.md covers each requirement of ASVS 5.0, chapters V6, V7 and V9, levels 1 and 2.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Returns the numbers of a section's requirements, without those of level 3. */
const upTo = (section: string, last: number, ofLevel3: number[] = []): string[] =>
  Array.from({ length: last }, (_, place) => place + 1)
    .filter((number) => !ofLevel3.includes(number))
    .map((number) => `${section}.${number}`);

const REQUIREMENTS = [
  ...[upTo('6.1', 3), upTo('6.2', 12), upTo('6.3', 4), upTo('6.4', 4), upTo('6.5', 5), upTo('6.6', 3)],
  ...[upTo('6.8', 4), upTo('7.1', 3), upTo('7.2', 4), upTo('7.3', 2), upTo('7.4', 5), upTo('7.5', 2)],
  ...[upTo('7.6', 2), upTo('9.1', 3), upTo('9.2', 4)],
].flat();

const rows = [
  ...readFileSync('docs/security.md', 'utf8').matchAll(/^\| (\d+\.\d+\.\d+) \| .+ \| (.+) \|$/gm),
].map(([, number = '', shown = '']) => ({ number, shown }));

test('each requirement has one line, which says how it is met, or why it is not', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    REQUIREMENTS,
  );
  const unclear = rows.filter(({ shown }) => !/^(Tested: "|Design: |Accepted|Not met)/.test(shown));
  assert.deepEqual(unclear, []);
});

test('the tests that it names exist', () => {
  const files = globSync('{src,test}/**/*.test.ts').map((name) => readFileSync(name, 'utf8'));
  const titles = new Set(
    files.flatMap((text) => [...text.matchAll(/^test\((['"])(.+?)\1, /gm)].map(([, , one]) => one)),
  );
  const named = rows.flatMap(({ shown }) => [...shown.matchAll(/"(.+?)"/g)].map(([, title]) => title));
  assert.ok(named.length > 40, `only ${named.length} are named`);
  assert.deepEqual(
    named.filter((title) => !titles.has(title)),
    [],
  );
});
