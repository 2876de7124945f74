import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutantsOf, ruleFiles } from './areas.ts';
import { mutationsOf } from './code-mutations.ts';
import { JUDGED } from './judged.ts';
import { changeOf, mutate } from './mutant.ts';
import { reaches } from './reach.ts';

const becomes = (source: string, file = 'rules.ts'): string[] =>
  mutationsOf(file, source)
    .map((mutation) => mutate(source, mutation))
    .sort();

test('conditions, operators, constants and statements of code are mutated', () => {
  assert.deepEqual(becomes('if (a < 2) throw b;'), [
    'if (a < 2) ;',
    'if (a < 3) throw b;',
    'if (a <= 2) throw b;',
    'if (false) throw b;',
    'if (true) throw b;',
  ]);
  assert.deepEqual(becomes('const c = a ?? b;'), ['const c = a;', 'const c = b;']);
  assert.deepEqual(becomes('const c = all.filter(isOpen).some(isMine);'), [
    'const c = all.filter(isOpen).every(isMine);',
    'const c = all.some(isMine);',
  ]);
});

test('boundaries at an instant and the rounding of times are not mutated', () => {
  assert.deepEqual(becomes('const isOver = endsAt <= at;'), []);
  assert.deepEqual(becomes('const seconds = Math.ceil(waitMs / SECOND);'), [
    'const seconds = Math.ceil(waitMs * SECOND);',
  ]);
  assert.deepEqual(becomes('const d = `delete from t where ended_at < $1`;'), []);
});

test('log messages, types and tuning constants are not mutated', () => {
  assert.deepEqual(becomes('type A = 1 | 2;\nconst MAX_PAUSE_MS = 25;'), []);
  assert.deepEqual(becomes('log.warn({ a: 1 });'), []);
});

test('conditions, comparisons and locks of SQL are mutated', () => {
  const sql = 'const s = `select from t where a >= $1 and b is null for update`;';
  assert.deepEqual(becomes(sql), [
    'const s = `select from t where a > $1 and b is null for update`;',
    'const s = `select from t where a >= $1 and b is not null for update`;',
    'const s = `select from t where a >= $1 and b is null `;',
    'const s = `select from t where a >= $1 for update`;',
    'const s = `select from t where a >= $1 or b is null for update`;',
  ]);
  assert.deepEqual(becomes("const text = 'wait for this and that';"), []);
  assert.deepEqual(becomes("const mine = 'a = $1 and b';", 'x.store.ts'), [
    "const mine = 'a <> $1 and b';",
    "const mine = 'a = $1 ';",
    "const mine = 'a = $1 or b';",
  ]);
});

test('the limit of a statement that reads one row is not mutated, and others are', () => {
  assert.deepEqual(becomes('const s = `select id from t order by id limit 1`;'), []);
  assert.deepEqual(becomes('const s = `select id from t limit 2`;'), [
    'const s = `select id from t limit 3`;',
  ]);
  assert.equal(becomes('const s = `select (select id from t limit 1) from u`;').length, 1);
});

test('a number that only stands for a row is not mutated, and one that is read is', () => {
  assert.deepEqual(becomes('const s = `update t set a = $1 returning 1`;'), []);
  assert.deepEqual(becomes('const s = `select 1 as found from t`;'), []);
  assert.equal(becomes('const s = `select 1 + a from t`;').length, 2);
});

test('a condition that the next one implies is not left out', () => {
  const left = (sql: string) =>
    becomes(sql).filter((text) => !text.includes("<> 'transfer'") && !text.includes("= 'transfer'"));
  assert.deepEqual(left("const s = `select from t where a and type <> 'transfer' and type = $1`;"), []);
  assert.equal(left("const s = `select from t where a and type <> 'transfer' and b = $1`;").length, 1);
});

test('the innermost range decides whether a position was executed', () => {
  const reached = {
    ms: 1,
    ranges: {
      'a.ts': [
        [10, 50, true],
        [20, 30, false],
      ] as [number, number, boolean][],
    },
  };
  assert.deepEqual(
    [5, 15, 25].map((place) => reaches(reached, 'a.ts', place)),
    [true, true, false],
  );
  assert.equal(reaches(reached, 'b.ts', 15), false);
});

test('each judged mutant exists in the current source', () => {
  const files = ruleFiles();
  for (const { file, was, becomes } of JUDGED) {
    assert.ok(files.includes(file), file);
    const source = readFileSync(file, 'utf8');
    const changes = mutantsOf(file).map((mutant) => changeOf(source, mutant));
    assert.ok(
      changes.some((change) => change.was === was && change.becomes === becomes),
      `${file}: ${was} => ${becomes}`,
    );
  }
});
