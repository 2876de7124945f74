import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { bundleServer, bundleUnlessCurrent } from '../deploy/bundle.ts';
import { runProgram } from '../test/support/programs.ts';
import { currentBundle } from './bundle.js';

const root = mkdtempSync(join(tmpdir(), 'platform-bundle-'));
const copy = mkdtempSync(join(tmpdir(), 'platform-bundle-copy-'));
after(() => {
  for (const folder of [root, copy]) rmSync(folder, { recursive: true, force: true });
});

const source = (path: string, text: string): void => writeFileSync(join(root, path), text);
const WORD = `import { readFileSync } from 'node:fs';
export const word = () => readFileSync(new URL('word.txt', import.meta.url), 'utf8');
`;
mkdirSync(join(root, 'src/cli/words'), { recursive: true });
source('package-lock.json', '{}');
source('src/cli/words/word.txt', 'hello');
source('src/cli/words/word.ts', WORD);
source(
  'src/cli/main.ts',
  `import { word } from './words/word.ts';
console.log(word());
await import('./missing.ts').catch(({ code }) => console.log(code));
`,
);

test('a bundle runs as its sources: it finds files beside them, and fails where one is missing', async () => {
  assert.equal(currentBundle(root), undefined);
  await bundleServer(root);
  const { output } = await runProgram([currentBundle(root) as string], {});
  assert.deepEqual(output.trim().split('\n'), ['hello', 'ERR_MODULE_NOT_FOUND']);
});

test('a source that appears, or is deleted from a whole checkout, makes the bundle outdated', async () => {
  await bundleServer(root);
  source('src/cli/missing.ts', '');
  assert.equal(currentBundle(root), undefined);
  rmSync(join(root, 'src/cli/missing.ts'));
  assert.ok(currentBundle(root));
  mkdirSync(join(root, 'deploy'));
  source('deploy/bundle.ts', '');
  await bundleServer(root);
  const path = join(root, 'src/cli/words/word.ts');
  rmSync(path);
  assert.equal(currentBundle(root), undefined);
  await assert.rejects(bundleServer(root), /Could not resolve/);
  source('src/cli/words/word.ts', WORD);
  rmSync(join(root, 'deploy'), { recursive: true });
});

test('a damaged bundle is not used, and is written anew', async () => {
  await bundleUnlessCurrent(root);
  const entry = currentBundle(root) as string;
  rmSync(entry);
  assert.equal(currentBundle(root), undefined);
  await bundleUnlessCurrent(root);
  assert.equal(currentBundle(root), entry);
  mkdirSync(join(root, 'dist/server/former'));
  source('dist/server/bundle.json', '');
  assert.equal(currentBundle(root), undefined);
  await bundleUnlessCurrent(root);
  assert.equal(currentBundle(root), entry);
});

test('a bundle is used until a source changes, also in a copy of the project with other times', async () => {
  await bundleServer(root);
  cpSync(root, copy, { recursive: true });
  const changed = join(copy, 'src/cli/words/word.ts');
  utimesSync(changed, 1, 1);
  assert.equal(currentBundle(copy), currentBundle(root)?.replace(root, copy));
  // Of the same size.
  writeFileSync(changed, WORD.replace('word.txt', 'wort.txt'));
  assert.equal(currentBundle(copy), undefined);
  rmSync(changed);
  assert.ok(currentBundle(copy), 'an installation may have no sources');
});

test('a former bundle stays for a day after its last use, since a running process may load the rest of it late', async () => {
  await bundleServer(root);
  const former = dirname(currentBundle(root) as string);
  utimesSync(former, 1, 1);
  source('src/cli/main.ts', 'console.log(1);\n');
  await bundleServer(root);
  assert.ok(existsSync(former));
  utimesSync(former, 1, 1);
  source('src/cli/main.ts', 'console.log(2);\n');
  await bundleServer(root);
  assert.ok(!existsSync(former));
});
