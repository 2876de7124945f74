import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { developmentCredentials, saveState } from './development-credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-credentials-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('on a full disk the credentials stay as they were, and the fault is a sentence', {
  skip: existsSync('/dev/full') ? false : 'there is no /dev/full',
}, () => {
  const file = join(folder, 'development.json');
  const { secretKey } = developmentCredentials(file);
  const before = readFileSync(file, 'utf8');
  symlinkSync('/dev/full', `${file}.new`);
  assert.throws(
    () => saveState(file, { sandboxPort: 3001 }),
    (error: Error) =>
      error instanceof OperatorFault && /development\.json can't be written: ENOSPC/.test(error.message),
  );
  assert.equal(readFileSync(file, 'utf8'), before);
  assert.equal(developmentCredentials(file).secretKey, secretKey);
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
