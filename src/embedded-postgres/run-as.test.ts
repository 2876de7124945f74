import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { embeddedPrograms } from './programs.ts';
import { runAs } from './run-as.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-run-as-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a database stays where it is when its user namespace cannot be made for once', {
  skip: process.getuid?.() !== 0 && 'only root needs a namespace',
}, (t) => {
  mkdirSync(join(folder, 'data'));
  const version = join(folder, 'data', 'PG_VERSION');
  writeFileSync(version, '18\n');
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = ''; // no `unshare`, as when a signal or a time limit ends it
  assert.throws(() => runAs(embeddedPrograms(), folder), OperatorFault);
  assert.equal(readFileSync(version, 'utf8'), '18\n');
});
