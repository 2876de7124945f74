import { isPrefix, type QueryTexts } from './search.model.ts';

/** Maximum number of words used from a query. */
const MAX_QUERY_WORDS = 12;
const MAX_WORD_LENGTH = 60;
/** Titles are compared up to this length: normalizing may multiply it, and an index accepts 2,700 bytes. */
const MAX_KEY_LENGTH = 200;
/** Maximum number of words of a document that serve as corrections. */
const MAX_VOCABULARY_WORDS = 300;
/** Shorter words are not corrected, since mistakes in them are too ambiguous. */
const MIN_CORRECTED_LENGTH = 4;
const MAX_CORRECTED_LENGTH = 24;

/** Letters without a decomposed form, as people type them on other keyboards. */
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

/** Returns a text in lower case, without accents, with words separated by single spaces. */
export const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[łđðøßæœþı]/g, (letter) => LETTERS[letter] as string)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the words of a text; very long words are truncated. */
export const wordsOf = (text: string): string[] =>
  normalized(text)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.slice(0, MAX_WORD_LENGTH));

/** Returns the words of a text joined by spaces, for the database to split. */
export const wordText = (text: string): string => wordsOf(text).join(' ');

/** Returns the form of a title by which it is compared. */
export const keyOf = (text: string): string => wordText(text).slice(0, MAX_KEY_LENGTH).toWellFormed();

/** A parsed query. */
export interface SearchWords {
  /** The whole query, normalized. */
  key: string;
  words: string[];
}

export function queryWords(query: string): SearchWords {
  const words = [...new Set(wordsOf(query))].slice(0, MAX_QUERY_WORDS);
  return { key: keyOf(query), words };
}

/** Whether mistakes in a word are corrected. */
export const isCorrectable = (word: string): boolean =>
  word.length >= MIN_CORRECTED_LENGTH && word.length <= MAX_CORRECTED_LENGTH && /^\p{L}+$/u.test(word);

/** Returns the words that serve as corrections. */
export const vocabularyOf = (text: string): string[] =>
  [...new Set(wordsOf(text).filter(isCorrectable))].slice(0, MAX_VOCABULARY_WORDS);

/** Returns a word and all its forms with one letter deleted. */
export function deletionsOf(word: string): string[] {
  const letters = [...word];
  const shorter = letters.map((_, place) => letters.filter((_letter, other) => other !== place).join(''));
  return [...new Set([word, ...shorter])];
}

/** Whether two words differ by one insertion, deletion, substitution or swap of neighbours. */
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

/** Builds tsqueries from words and their alternatives. Quotes suffice to escape normalized words. */
export function queryTextsOf(words: string[], insteadOf: ReadonlyMap<string, string[]>): QueryTexts {
  const anyOf = (word: string): string =>
    `(${[word, ...(insteadOf.get(word) ?? [])].map((one) => `'${one}'`).join('|')})`;
  const last = words.at(-1) ?? '';
  return {
    first: words.slice(0, -1).map(anyOf).join('&'),
    last: anyOf(last),
    prefix: isPrefix(last) ? `'${last}':*` : `'${last}'`,
  };
}
