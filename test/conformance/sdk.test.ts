import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { emit } from '../../sdk/emitter/emit.ts';
import { descriptions } from '../support/descriptions.ts';

const folder = 'sdk/src/generated';

test('the generated part of the SDK is up to date with the operations', () => {
  const files = emit(descriptions());
  assert.deepEqual(
    globSync('**/*.ts', { cwd: folder }).sort(),
    [...files.keys()].sort(),
    'run `npm run sdk` and commit what it writes',
  );
  for (const [path, text] of files)
    assert.equal(readFileSync(`${folder}/${path}`, 'utf8'), text, `${path}: run \`npm run sdk\``);
});
