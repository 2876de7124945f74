// What users of the package get: its types in their compilers, its size in their programs.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { installSdk } from '../support/sdk-package.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'platform-sdk-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns why a test cannot run here; these packages come with `npm ci`. */
const without = (name: string): string | false =>
  existsSync(join(root, 'node_modules', name)) ? false : `SKIPPED: ${name} is not installed, run npm ci`;
const fileOf = (name: string, file: string): string => join(root, 'node_modules', name, file);
const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: join(root, 'sdk'), encoding: 'utf8', stdio: 'pipe' });
const TSC = fileOf('@typescript/native', 'bin/tsc');

const installed = installSdk(folder);

const SIGNED_IN = `const api = createCaller({ baseUrl: 'http://a', apiKey: 'k' });`;
const THREE = `import { createCaller, getBalance, listTransactions, transferKeys } from '@platform-api/sdk';
${SIGNED_IN}
api.call(getBalance, {}); api.call(listTransactions, {}); api.call(transferKeys, { body: { toUserId: '', amount: 1 } });`;
const LIVE = `${THREE.replace('createCaller,', 'createCaller, createLive,')} createLive(api).room('').send('');`;

for (const [what, text, limit] of [
  ['three operations', THREE, 2_624],
  ['three operations and the live channel', LIVE, 6_784],
] as const)
  test(`a program with ${what} contains at most ${limit} bytes of the SDK`, async (t) => {
    const { outputFiles } = await build({
      stdin: { contents: text, resolveDir: folder },
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    const bytes = gzipSync((outputFiles[0] as { contents: Uint8Array }).contents, { level: 9 }).length;
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });

/** What must compile, and lines that must not. */
const PROGRAM = `
import { createClient, isPlatformError, memoryStorage, verifyWebhook, transferKeys, type TypesOf } from '@platform-api/sdk';
import { adminOf } from '@platform-api/sdk/admin';
const api = createClient({ baseUrl: 'http://a', apiKey: 'k', storage: memoryStorage() });
export async function run(signal: { aborted: boolean; addEventListener(type: 'abort', listener: () => void): void; removeEventListener(type: 'abort', listener: () => void): void }) {
  const { transaction } = await api.wallet.transfer({ toUserId: 'a', amount: 25 }, { signal, idempotencyKey: undefined });
  const status: 'pending' | 'completed' | 'failed' | 'cancelled' = transaction.status;
  const wallet: string = (await api.wallet.create()).id;
  for await (const course of api.courses.list({ level: 'beginner' })) course.title.trim();
  const page = await api.courses.list();
  const total: number = page.total;
  const body: TypesOf<typeof transferKeys>['body'] = { toUserId: 'a', amount: 1 };
  for await (const event of api.live().room('a')) if (event.type === 'message') event.message.trim();
  const names: (string | null)[] = (await adminOf(api).wallet.list()).items.map(({ owner }) => owner && owner.email);
  const event = await verifyWebhook<{ type: string }>('', {}, []);
  try { await api.call(transferKeys, { body }); } catch (error) {
    if (isPlatformError(error, 'transferKeys') && error.code === 'INSUFFICIENT_BALANCE') return error.fields;
    // @ts-expect-error no such code
    if (isPlatformError(error, 'transferKeys') && error.code === 'INSUFICIENT_BALANCE') return error.fields;
  }
  const { data, meta, pagination }: { data: { amount: number }[]; meta: { timestamp: string }; pagination: { total: number } } =
    await api.raw('listTransactions', { query: { type: 'fund' } });
  const { balance }: { balance: number } = (await api.raw('getBalance')).data;
  // @ts-expect-error no such operation
  await api.raw('getBalanse');
  // @ts-expect-error the body is missing
  await api.raw(transferKeys);
  // @ts-expect-error an amount is a number
  await api.wallet.transfer({ toUserId: 'a', amount: '25' });
  // @ts-expect-error the body is missing
  await api.wallet.transfer();
  // @ts-expect-error the SDK follows no redirect
  api.auth.signInSsoByLink;
  // @ts-expect-error on the wire alone
  (await api.wallet.create())._id;
  // @ts-expect-error for administrators
  api.wallet.fund;
  // @ts-expect-error no such level
  api.courses.list({ level: 'master' });
  // @ts-expect-error what its path names is missing
  api.courses.get();
  // @ts-expect-error no such operation
  isPlatformError(0, 'transferKey');
  return [status, wallet, data, meta, pagination, balance, total, names, event.type];
}
`;

/** Our own compiler, and an old one that npm fetches where it can. */
const COMPILERS: Record<string, () => string[]> = {
  'TypeScript 7': () => [process.execPath, TSC],
  'TypeScript 5.4': () => [
    'npm',
    'exec',
    '--yes',
    '--offline=false',
    '--package=typescript@5.4.5',
    '--',
    'tsc',
  ],
};

/** A project for each way to resolve modules; one process compiles both. */
const projects = ['bundler', 'node16'].map((resolution) => {
  const project = join(folder, resolution);
  mkdirSync(project);
  symlinkSync(join(folder, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  const compilerOptions = {
    module: resolution === 'bundler' ? 'esnext' : 'node16',
    moduleResolution: resolution,
    lib: ['es2022'],
    target: 'es2022',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    outDir: 'out',
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return project;
});

for (const [name, compiler] of Object.entries(COMPILERS))
  test(`${name} compiles programs with the package (bundler and node16, without DOM)`, (t) => {
    const [command, ...args] = compiler() as [string, ...string[]];
    const { status, stdout, stderr } = spawnSync(command, [...args, '--build', '--force', ...projects], {
      encoding: 'utf8',
      cwd: folder,
    });
    if (/npm error/.test(stderr) && stdout === '')
      return t.skip(`SKIPPED: npm cannot fetch ${name}: ${stderr}`);
    assert.equal(status, 0, stdout + stderr);
  });

test('publint finds nothing to say about the package', { skip: without('publint') }, async () => {
  const { publint } = (await import('publint' as string)) as {
    publint(options: object): Promise<{ messages: unknown[] }>;
  };
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
  assert.deepEqual(messages, []);
});

test('attw finds that its types resolve', { skip: without('@arethetypeswrong/cli') }, () => {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: installed,
  });
  const archive = join(folder, 'platform-api-sdk-0.1.0.tgz');
  try {
    node(
      fileOf('@arethetypeswrong/cli', 'dist/index.js'),
      archive,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
    );
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout);
  }
});
