/** Words of a query that are looked for, at most. */
const MAX_QUERY_WORDS = 12;
const MAX_WORD_LENGTH = 60;
/** Words that mistakes are forgiven against; of a document so many at most. */
const MAX_VOCABULARY_WORDS = 300;
/** Shorter words have no mistakes that could be told from other words. */
const MIN_CORRECTED_LENGTH = 4;
const MAX_CORRECTED_LENGTH = 24;
/** Beginnings of so many letters find words. */
const MIN_PREFIX_LENGTH = 2;

/** Letters that are no accented form of another, as people type them without their keyboard. */
const LETTERS: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
};

/** Returns a text in lower case, without accents, its words apart by single spaces. */
export const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[łđðøßæœþı]/g, (letter) => LETTERS[letter] as string)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the words of a text; of a very long one its beginning. */
export const wordsOf = (text: string): string[] =>
  normalized(text)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.slice(0, MAX_WORD_LENGTH));

/** The same as a text that the database reads word by word. */
export const wordText = (text: string): string => wordsOf(text).join(' ');

/** A query, taken apart. */
export interface SearchWords {
  /** Normalized, as a whole. */
  key: string;
  words: string[];
}

export function queryWords(query: string): SearchWords {
  const words = [...new Set(wordsOf(query))].slice(0, MAX_QUERY_WORDS);
  return { key: wordText(query), words };
}

/** Whether a word has mistakes that are forgiven. */
export const isCorrectable = (word: string): boolean =>
  word.length >= MIN_CORRECTED_LENGTH && word.length <= MAX_CORRECTED_LENGTH && /^\p{L}+$/u.test(word);

/** Words that mistakes are forgiven against. */
export const vocabularyOf = (text: string): string[] =>
  [...new Set(wordsOf(text).filter(isCorrectable))].slice(0, MAX_VOCABULARY_WORDS);

/** Returns a word and all forms of it with one letter left out. */
export function deletionsOf(word: string): string[] {
  const letters = [...word];
  const shorter = letters.map((_, place) => letters.filter((_letter, other) => other !== place).join(''));
  return [...new Set([word, ...shorter])];
}

/** Whether a word becomes the other by adding, leaving out or replacing one letter, or exchanging two neighbours. */
export function isOneMistakeApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [[...a], [...b]] : [[...b], [...a]];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
  const left = short.slice(start, short.length - end);
  const right = long.slice(start, long.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** Texts of tsqueries: of all words but the last, of the last, and of its being the beginning of a word. */
export interface QueryTexts {
  first: string;
  last: string;
  prefix: string;
}

/** Makes tsqueries of words and what else may stand for each. Normalized words need no quoting but in quotes. */
export function queryTextsOf(words: string[], insteadOf: ReadonlyMap<string, string[]>): QueryTexts {
  const anyOf = (word: string): string =>
    `(${[word, ...(insteadOf.get(word) ?? [])].map((one) => `'${one}'`).join('|')})`;
  const last = words.at(-1) ?? '';
  return {
    first: words.slice(0, -1).map(anyOf).join('&'),
    last: anyOf(last),
    prefix: last.length >= MIN_PREFIX_LENGTH ? `'${last}':*` : `'${last}'`,
  };
}
