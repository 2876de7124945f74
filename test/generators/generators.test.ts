// Third-party generators of clients accept the description, and the clients that they generate compile.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { descriptions } from '../support/descriptions.ts';
import { GENERATORS } from './folder.ts';

const isInstalled = existsSync(join(GENERATORS, 'node_modules/typescript'));
const skip = isInstalled ? false : 'SKIPPED: the generators are not installed, run npm run test:generators';

/** A folder below that of the generators, so that their configurations find them. */
const folder = isInstalled ? mkdtempSync(join(GENERATORS, 'run-')) : '';
after(() => isInstalled && rmSync(folder, { recursive: true, force: true }));
const input = join(folder, 'openapi.json');
if (isInstalled) writeFileSync(input, JSON.stringify(descriptions().api));

const KUBB = `
import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './kubb', clean: true, format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs({ output: { path: 'types' } })],
});
`;
const ORVAL = `
export default { api: { input: './openapi.json', output: { target: './orval/api.ts', client: 'fetch' } } };
`;

interface Generator {
  program: string;
  args: string[];
  /** Its configuration files, by name. */
  files?: Record<string, string>;
}

/** The generators with their command lines, by the folder that they write into. */
const ALL: Record<string, Generator> = {
  'openapi-typescript': {
    program: 'openapi-typescript',
    args: [input, '-o', 'openapi-typescript/api.d.ts'],
  },
  '@hey-api/openapi-ts': { program: 'openapi-ts', args: ['-i', input, '-o', '@hey-api/openapi-ts'] },
  orval: {
    program: 'orval',
    args: ['--config', 'orval.config.mjs'],
    files: { 'orval.config.mjs': ORVAL },
  },
  kubb: {
    program: 'kubb',
    args: ['generate', '--config', 'kubb.config.mjs'],
    files: { 'kubb.config.mjs': KUBB },
  },
  'swagger-typescript-api': {
    program: 'swagger-typescript-api',
    args: ['generate', '-p', input, '-o', 'swagger-typescript-api', '-n', 'api.ts'],
  },
};

function run(program: string, args: string[]): void {
  const bin = join(GENERATORS, 'node_modules/.bin', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', NODE_OPTIONS: '', DISABLE_TELEMETRY: 'true', DO_NOT_TRACK: '1' },
  });
  assert.equal(status, 0, stdout + stderr);
}

for (const [name, { program, args, files = {} }] of Object.entries(ALL))
  test(`${name} writes a client that compiles`, { skip }, () => {
    mkdirSync(join(folder, name), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    run(program, args);
    const written = globSync('**/*.ts', { cwd: join(folder, name) }).map((file) => join(name, file));
    const texts = written.map((file) => readFileSync(join(folder, file), 'utf8'));
    for (const word of ['TransferKeysBody', 'INSUFFICIENT_BALANCE'])
      assert.ok(
        texts.some((text) => text.includes(word)),
        `${word} is in none of ${written.length} files`,
      );
    // Some generators switch off the type check of their files.
    for (const [place, file] of written.entries())
      writeFileSync(join(folder, file), (texts[place] as string).replaceAll(/@ts-(nocheck|ignore)/g, ''));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      allowImportingTsExtensions: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: written }));
    run('tsc', ['-p', 'tsconfig.json']);
  });
