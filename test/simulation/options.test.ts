import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';
import { PLANTED } from './planted.ts';

const read = (line: string) => readOptions(line.split(' ').filter((word) => word !== ''));

test('the simulation plays the seeds that its command line says', () => {
  assert.deepEqual(read(''), { from: 1, count: 20, planted: undefined });
  assert.deepEqual(read('--from 5 --seeds 1000'), { from: 5, count: 1000, planted: undefined });
  assert.deepEqual(read('--seed 514'), { from: 514, count: 1, planted: undefined });
  const all = PLANTED.map(({ name }) => name);
  assert.deepEqual(read('--planted'), { from: 1, count: 200, planted: all });
  assert.deepEqual(read('--planted ban --seeds 3'), { from: 1, count: 3, planted: ['a ban is not checked'] });
});

test('a command line that says nothing to play is refused in a sentence', () => {
  for (const [line, says] of [
    ['1000', /^1000 is not an option/],
    ['--seeds 0', /^Seeds are numbered from 1/],
    ['--seed x', /^Seeds are numbered from 1/],
    ['--from -3', /.+/],
    ['--nothing', /^Unknown option '--nothing'/],
    ['--planted typo', /^No planted fault has typo in its name/],
  ] as const) {
    const found = read(line);
    assert.match(typeof found === 'string' ? found : '', says, line);
  }
});
