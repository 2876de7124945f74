import { OBJECT_ID, type ObjectId } from '../ids.ts';
import { canonicalAddress } from '../text/email-address.ts';

/** Texts shorter than a trigram cannot use an index of parts of words; beginnings of words are found at any length. */
const TRIGRAM = 3;

/** Returns the id that a search is for, in any letter case and with blanks around it; undefined if it is for words. */
export function searchedId(search: string): ObjectId | undefined {
  const text = search.trim().toLowerCase();
  return OBJECT_ID.test(text) ? text : undefined;
}

/**
 * Returns the patterns of `like any` by which a search finds texts of words that are separated by blanks: anywhere in
 * them, or at the beginning of a word if the search is shorter than three characters. Blanks around the search, as of a
 * copied address, do not count; blanks alone find nothing. An e-mail address is also looked for as it is stored.
 */
export function searchPatterns(search: string): string[] {
  const text = search.trim().toLowerCase();
  if (text === '') return [];
  return [...new Set([text, canonicalAddress(text) ?? text])].flatMap(patternsOf);
}

function patternsOf(text: string): string[] {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return text.length >= TRIGRAM ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
}
