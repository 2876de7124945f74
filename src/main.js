#!/usr/bin/env node
// Plain JavaScript, because older versions of Node.js, which cannot read TypeScript, must still print a sentence here.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { currentBundle } from './bundle.js';

const NEEDED = 24;
const root = fileURLToPath(new URL('..', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  // A start takes a third less CPU with code that an earlier one has compiled. Where the folder cannot be written, each
  // start compiles.
  module.enableCompileCache(`${root}node_modules/.cache/platform-api`);
  const bundle = currentBundle(root);
  await import(bundle ? pathToFileURL(bundle).href : './cli/main.ts');
} else {
  const isInstalled = existsSync(`${root}node_modules/.bin/node`);
  const advice = isInstalled
    ? 'Use "npm start" or "npm run platform -- <command>",\nwhich run the version that "npm ci" has installed.'
    : 'Run "npm ci" first:\nit installs the dependencies and that version, for this project alone (but not with --ignore-scripts).';
  console.error(`The platform needs Node ${NEEDED}, and this is ${process.version}. ${advice}`);
  process.exitCode = 1;
}
