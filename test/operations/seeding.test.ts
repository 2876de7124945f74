import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signIn } from '../../sdk/src/index.ts';
import { lockFolder } from '../../src/embedded-postgres/instance-lock.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-seed-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' };
const SEED = ['src/main.js', 'seed'];

test('seed beside a server reports what it created, then that it exists, and its members can use the app', async () => {
  const server = await startProgram(['src/main.js', 'start'], environment);
  const first = await runProgram(SEED, environment);
  assert.deepEqual([first.code, first.complaints], [0, ''], 'no warnings of a platform that only seeds');
  const createdLines = first.output.match(/^made: .*$/gm) ?? [];
  assert.ok(createdLines.length >= 5, first.output);
  assert.doesNotMatch(first.output, /already there/);
  const again = await runProgram(SEED, environment);
  assert.equal(again.output, first.output.replaceAll('made: ', 'already there: '));

  const { member } = JSON.parse(readFileSync(join(folder, 'development.json'), 'utf8'));
  assert.ok(first.output.includes(member.email) && first.output.includes(member.password));
  const client = new Client(server.readyValues.url as string, {
    'x-api-key': server.readyValues.apiKey as string,
  });
  for (const platform of ['app', 'livestream'])
    assert.equal((await client.call(signIn, { body: { ...member, platform } })).status, 200, platform);
  assert.equal(await server.end('SIGTERM'), 0);
});

test('seed --large is refused while a server runs', async () => {
  const dataDir = join(folder, 'of-a-server');
  const release = await lockFolder(dataDir);
  const { code, output, complaints } = await runProgram([...SEED, '--large'], { DATA_DIR: dataDir });
  await release();
  assert.deepEqual([code, output], [1, '']);
  assert.match(complaints, /^Another instance is running on \S+\. Stop it first, /);
});
