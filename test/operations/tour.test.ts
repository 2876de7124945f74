import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { startProgram } from '../support/programs.ts';

const root = resolve(import.meta.dirname, '../..');
const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-tour-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the shell blocks of the tour as one script, with the addresses and the temporary folder of this test. */
function scriptOf(page: string, api: string, sandbox: string): string {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks
    .join('\n')
    .replace('API=http://127.0.0.1:3000', `API=${api}`)
    .replace('SANDBOX=http://127.0.0.1:3001', `SANDBOX=${sandbox}`)
    .replaceAll('/tmp/', `${folder}/`);
}

/** Runs a script of bash to its end, and returns what it printed. */
async function bash(script: string, environment: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...process.env, ...environment } });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, printed);
  return printed;
}

const noFfmpeg = process.env.TEST_FFMPEG ? false : 'ffmpeg is not installed';

test('every command of docs/tour.md works as it stands', { skip: noFfmpeg }, async () => {
  // The commands read `.data/development.json` and run `npm run platform` in the folder where they are run.
  for (const name of ['package.json', 'src', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name));
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, '.data'),
    PORT: '0',
    SANDBOX_PORT: '0',
  };
  const server = await startProgram(['src/main.ts', 'start'], environment);
  after(() => server.end('SIGKILL'));
  const page = readFileSync(join(root, 'docs/tour.md'), 'utf8');
  const printed = await bash(
    scriptOf(page, server.said.url as string, server.said.sandbox as string),
    environment,
  );

  const failures = printed.match(/"success":false[^\n]*/g) ?? [];
  // Only Ben's sign-in to the app is refused.
  assert.equal(failures.length, 1, failures.join('\n'));
  assert.ok((printed.match(/"success":true/g) ?? []).length > 50, printed);
  assert.match(printed, /idempotent-replayed: true/i);
  assert.match(printed, /The ledger is sound\./);
  assert.match(printed, /ada has 1 e-mail\nben has 0 e-mail/);
  assert.match(printed, /RESOLUTION=1280x720/);
  assert.match(printed, /"certificateId"/);
  assert.match(printed, /ada_trades/);
  assert.match(printed, /"graceEndsAt":"/);
  assert.equal(await server.end('SIGTERM'), 0);
});
