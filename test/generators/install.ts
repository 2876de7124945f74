// `npm run test:generators` installs third-party generators of clients. This takes half a minute and 300 MB, so `npm
// ci` does not do it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATORS } from './folder.ts';

mkdirSync(GENERATORS, { recursive: true });
copyFileSync(join(import.meta.dirname, 'package.json'), join(GENERATORS, 'package.json'));
const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
const { status } = spawnSync('npm', ['install', ...options], { cwd: GENERATORS, stdio: 'inherit' });
process.exitCode = status ?? 1;
