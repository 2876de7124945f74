import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-tour-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' };
const TOUR = ['src/main.js', 'tour'];

test('without a server the tour says so in a sentence', async () => {
  const { code, output, complaints } = await runProgram(TOUR, environment);
  assert.deepEqual([code, output], [1, '']);
  assert.equal(complaints, 'No server is running here. Run "npm start" in another terminal first.\n');
});

const noFfmpeg = process.env.TEST_FFMPEG ? false : 'ffmpeg is not installed';

test('every command of docs/tour.md works as it stands', { skip: noFfmpeg }, async () => {
  const server = await startProgram(['src/main.js', 'start'], environment);
  after(() => server.end('SIGKILL'));
  const { code, output, complaints } = await runProgram(TOUR, environment);
  assert.deepEqual([code, complaints], [0, ''], output);

  const answers = [...output.matchAll(/^ {6}(\d{3}) .*$/gm)];
  // Only Ben's sign-in to the app is refused.
  const failures = answers.filter(([, status]) => Number(status) >= 400).map(([line]) => line.trim());
  assert.equal(failures.length, 1, failures.join('\n'));
  assert.match(failures[0] as string, /^403 PLATFORM_ACCESS_DENIED: /);
  assert.ok(answers.length > 50, output);
  for (const chapter of ['Accounts', 'Money', 'Chat', 'Courses', 'Educators', 'Indicators'])
    assert.match(output, new RegExp(`^${chapter}\n=+$`, 'm'));
  assert.match(
    output,
    /^# Two members, Ada and Ben, sign up\.\n {2}POST \/v1\/auth\/signup\n {6}201 User created/m,
  );
  assert.match(output, /idempotent-replayed: true/i);
  assert.match(output, /The ledger is sound\./);
  assert.match(output, /^ {6}ada has 1 e-mail$/m);
  assert.match(output, /^ {6}ben has 0 e-mail$/m);
  assert.match(output, /RESOLUTION=1280x720/);
  assert.match(output, /GET \/v1\/certificates\/\w+\n {6}200 /);
  assert.match(output, /ada_trades/);
  assert.match(output, /GET \/v1\/streams\/scanners\/access\/mine\n {6}200 /);
  assert.match(output, /\nThe tour is over\.\n$/);
  assert.equal(await server.end('SIGTERM'), 0);
});
