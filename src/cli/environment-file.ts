import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SETTINGS } from '../app/config.ts';
import { nearestOf } from '../kernel/text/nearest.ts';

const FILE = '.env';

/** Variables that Node and its libraries read themselves. */
const FOREIGN = /^(NODE_|UV_|npm_|TZ$|(NO|FORCE)_COLOR$|(https?|no|all)_proxy$)/i;

/**
 * Reads `.env` of the current folder; variables that are already set take precedence.
 * @returns a sentence about its unknown variables, each with the setting that was probably meant
 */
export function readEnvironmentFile(): string | undefined {
  if (!existsSync(FILE)) return undefined;
  process.loadEnvFile(FILE);
  const known = SETTINGS.flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  );
  const unknown = Object.keys(parseEnv(readFileSync(FILE, 'utf8'))).filter(
    (name) => !known.includes(name) && !FOREIGN.test(name),
  );
  if (unknown.length === 0) return undefined;
  const named = unknown.map((name) => {
    const nearest = nearestOf(name, known);
    return nearest ? `${name} (did you mean ${nearest}?)` : name;
  });
  return `${FILE} has unknown settings, which are ignored: ${named.join(', ')}`;
}
