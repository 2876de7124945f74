import { type PasswordOwner, SHORTEST_PASSWORD } from './passwords.model.ts';

/** Words of this platform that its passwords must not be made of, besides those of the operator. `docs/security.md` lists them. */
const PLATFORM_WORDS = [
  'platform',
  'administrator',
  'admin',
  'moderator',
  'educator',
  'member',
  'support',
  'backoffice',
  'trading',
  'trader',
  'bitcoin',
  'crypto',
];

/** Shorter words are parts of too many others. */
const SHORTEST_WORD = 3;

/** Characters that stand for letters. `i` also stands for `l`, since `1` may be either. */
const STANDING_FOR: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
};

/** Returns the text without case, accents, and digits and signs in the place of letters. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[01l!34@5$7]/g, (character) => STANDING_FOR[character] as string);

/** Returns a text and its parts between spaces, dots and the like, folded, without those that are too short. */
const wordsIn = (text: string): string[] =>
  [text, ...text.split(/[^\p{L}\p{N}]+/u)].map(folded).filter((word) => word.length >= SHORTEST_WORD);

/**
 * Returns a function that tells whether a password is made of words that those who know the member or the platform try
 * first: without the names and the e-mail address of its owner, the words of the platform and those of the operator, it has
 * fewer characters than a password must have. Spaces do not count then.
 * @param operatorWords read at each call, since the address of the platform is known once it listens
 */
export function guessableWords(operatorWords: () => string[]) {
  return (
    password: string,
    { email = '', username = '', firstName = '', lastName = '' }: Partial<PasswordOwner>,
  ): boolean => {
    const given = folded(password);
    const words = [email, username, firstName, lastName, ...PLATFORM_WORDS, ...operatorWords()].flatMap(
      wordsIn,
    );
    const found = words
      .filter((word) => given.includes(word))
      .sort((one, other) => other.length - one.length);
    if (found.length === 0) return false;
    const rest = found.reduce((text, word) => text.replaceAll(word, ' '), given).replace(/\s+/g, '');
    // Folding takes syllables of Hangul apart.
    return [...rest.normalize('NFC')].length < SHORTEST_PASSWORD;
  };
}
