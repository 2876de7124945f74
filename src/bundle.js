// Plain JavaScript: `main.js` loads it also with versions of Node.js that cannot read TypeScript.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the path of the server's bundle, which `deploy/bundle.ts` writes; undefined if there is none, or if a source has
 * changed since. A source that is missing was left out of the installation, or else one that names it has changed, too.
 * @param {string} root the folder of the project
 */
export function currentBundle(root) {
  const list = join(root, 'dist/server/bundle.json');
  if (!existsSync(list)) return undefined;
  const { entry, inputs } = JSON.parse(readFileSync(list, 'utf8'));
  return inputs.every((input) => isUnchanged(root, input)) ? join(root, 'dist/server', entry) : undefined;
}

function isUnchanged(root, { path, size, mtimeMs, hash }) {
  const source = join(root, path);
  const now = statSync(source, { throwIfNoEntry: false });
  if (!now || (now.size === size && now.mtimeMs === mtimeMs)) return true;
  // A copy of the project has other times.
  return now.size === size && createHash('sha256').update(readFileSync(source)).digest('hex') === hash;
}
