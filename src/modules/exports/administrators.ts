import { fullName } from '../../kernel/text/full-name.ts';
import type { Administrator } from '../identity/contract.ts';

const REPLACEMENT = 'an administrator';
/** Replacing shorter names would also replace ordinary words. */
const MIN_LENGTH = 3;

/** Returns a function that replaces the names, usernames and e-mail addresses of these people in a text. */
export function hiding(administrators: Administrator[]): (text: string) => string {
  const names = administrators
    .flatMap(({ email, username, firstName, lastName }) => [
      email,
      username,
      fullName({ firstName, lastName }),
    ])
    .filter(({ length }) => length >= MIN_LENGTH)
    // An address before the username in it.
    .sort((one, other) => other.length - one.length);
  if (names.length === 0) return (text) => text;
  const alternatives = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return (text) => text.replace(pattern, REPLACEMENT);
}
