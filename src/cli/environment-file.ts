import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SETTINGS } from '../app/config.ts';
import { nearestOf } from '../kernel/text/nearest.ts';

const FILE = '.env';

/** Variables that Node and its libraries read themselves. */
const FOREIGN = /^(NODE_|UV_|npm_|TZ$|(NO|FORCE)_COLOR$|(https?|no|all)_proxy$)/i;

/**
 * How many letters may be wrong in a variable of the environment that counts as one of ours. Hosts set many of their own, so
 * that those of one word, which resemble others by chance, never do.
 */
const MOST_TYPOS = 2;

const unknownOf = (names: string[]): { known: string[]; unknown: string[] } => {
  const known = SETTINGS.flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  );
  return { known, unknown: names.filter((name) => !known.includes(name) && !FOREIGN.test(name)) };
};

/**
 * Reads `.env` of the current folder; variables that are already set take precedence.
 * @returns sentences about its unknown variables, and about those of the environment that are probably misspelt settings
 */
export function readEnvironmentFile(): string[] {
  const misspelt = misspeltIn(Object.keys(process.env));
  if (!existsSync(FILE)) return misspelt;
  process.loadEnvFile(FILE);
  const { known, unknown } = unknownOf(Object.keys(parseEnv(readFileSync(FILE, 'utf8'))));
  if (unknown.length === 0) return misspelt;
  const named = unknown.map((name) => {
    const nearest = nearestOf(name, known);
    return nearest ? `${name} (did you mean ${nearest}?)` : name;
  });
  return [`${FILE} has unknown settings, which are ignored: ${named.join(', ')}`, ...misspelt];
}

function misspeltIn(environment: string[]): string[] {
  const { known, unknown } = unknownOf(environment);
  const named = unknown.flatMap((name) => {
    const nearest = name.includes('_') ? nearestOf(name, known, MOST_TYPOS) : undefined;
    return nearest ? [`${name} (did you mean ${nearest}?)`] : [];
  });
  return named.length === 0
    ? []
    : [`The environment has unknown settings, which are ignored: ${named.join(', ')}`];
}
