import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { developmentCredentials, saveState } from './development-credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-credentials-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('credentials that cannot be written stay as they were, and the fault is a sentence', () => {
  const whole = join(folder, 'development.json');
  const { secretKey } = developmentCredentials(whole);
  const before = readFileSync(whole, 'utf8');
  // With a name so long that no file can be written beside it.
  const file = join(folder, `${'long-'.repeat(48)}.json`);
  writeFileSync(file, before);
  assert.throws(
    () => saveState(file, { sandboxPort: 3001 }),
    (error: Error) =>
      error instanceof OperatorFault && /long-\.json can't be written: ENAMETOOLONG/.test(error.message),
  );
  assert.equal(readFileSync(file, 'utf8'), before);
  assert.equal(developmentCredentials(file).secretKey, secretKey);
});

test('what another process writes at the same moment is not in the way, and nothing is left behind', () => {
  const file = join(folder, 'shared.json');
  mkdirSync(`${file}.new`);
  const { secretKey } = developmentCredentials(file);
  saveState(file, { sandboxPort: 3001 });
  assert.equal(developmentCredentials(file).secretKey, secretKey);
  const left = readdirSync(folder).filter((name) => name.startsWith('shared.json'));
  assert.deepEqual(left.toSorted(), ['shared.json', 'shared.json.new']);
});

test('a file that holds something else is a fault in a sentence', () => {
  const file = join(folder, 'other.json');
  for (const content of ['null', '7', '[]', '{']) {
    writeFileSync(file, content);
    assert.throws(
      () => developmentCredentials(file),
      (error: Error) => error instanceof OperatorFault && /other\.json can't be read: /.test(error.message),
      content,
    );
  }
});
