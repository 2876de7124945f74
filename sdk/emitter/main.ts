// `npm run sdk`: writes the generated part of the SDK.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../../src/app/config.ts';
import { describePlatform } from '../../src/app/description.ts';
import { emit } from './emit.ts';

const folder = join(import.meta.dirname, '../src/generated');
// As clients read the description: without values that JSON omits.
const descriptions = JSON.parse(JSON.stringify(describePlatform(readConfig({}))));
const files = emit(descriptions);
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of files) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
