import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-year-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' };

test('the commands of docs/year.md have the results that the page states', async () => {
  const server = await startProgram(['src/main.js', 'start'], environment);
  after(() => server.end('SIGKILL'));
  const { code, output, complaints } = await runProgram(['src/main.js', 'tour', '--year'], environment);
  assert.deepEqual([code, complaints], [0, ''], output);
  for (const chapter of ['The first hour', 'The first week', 'The first month', 'The year'])
    assert.match(output, new RegExp(`^${chapter}\n=+$`, 'm'));
  assert.match(output, /^ {6}366 days have passed\n\nThe tour is over\.\n$/m);
  assert.equal(await server.end('SIGTERM'), 0);
});
