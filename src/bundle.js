// Plain JavaScript: `main.js` loads it also with versions of Node.js that cannot read TypeScript.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the path of the server's bundle, which `deploy/bundle.ts` writes; undefined if there is none, if it is damaged, or
 * if a source has changed since.
 * @param {string} root the folder of the project
 */
export function currentBundle(root) {
  const folder = join(root, 'dist/server');
  try {
    const { entry, outputs, inputs, absent } = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    // The image lacks some of the sources.
    const isWhole = existsSync(join(root, 'deploy/bundle.ts'));
    const isCurrent =
      outputs.every((path) => existsSync(join(folder, path))) &&
      absent.every((path) => !existsSync(join(root, path))) &&
      inputs.every((input) => isUnchanged(join(root, input.path), input, isWhole));
    return isCurrent ? join(folder, entry) : undefined;
  } catch {
    return undefined;
  }
}

function isUnchanged(path, { size, mtimeMs, ctimeMs, hash }, isWhole) {
  const now = statSync(path, { throwIfNoEntry: false });
  if (!now) return !isWhole;
  if (now.size !== size) return false;
  if (now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs) return true;
  // A copy of the project has other times.
  return createHash('sha256').update(readFileSync(path)).digest('hex') === hash;
}
