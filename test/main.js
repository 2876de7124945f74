// `npm test`. Plain JavaScript, because older versions of Node.js, which cannot read TypeScript, must still print a
// sentence here.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../node_modules/node/package.json', import.meta.url))) {
  await import('./run.ts');
} else {
  console.error('The dependencies are not installed. Run "npm ci" first.');
  process.exitCode = 1;
}
