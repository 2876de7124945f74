import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sdk = resolve(import.meta.dirname, '../../sdk');
const TSC = resolve(sdk, '../node_modules/@typescript/native/bin/tsc');

/** Installs the SDK into a folder as it is published; returns the folder of the package. */
export function installSdk(folder: string): string {
  const installed = join(folder, 'node_modules/@platform-api/sdk');
  mkdirSync(installed, { recursive: true });
  const build = [TSC, '-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist')];
  execFileSync(process.execPath, build, { cwd: sdk, stdio: 'pipe' });
  for (const file of ['package.json', 'README.md'])
    writeFileSync(join(installed, file), readFileSync(join(sdk, file)));
  return installed;
}
