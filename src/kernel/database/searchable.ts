/** Texts shorter than a trigram cannot use an index of parts of words; beginnings of words are found at any length. */
const TRIGRAM = 3;

/**
 * Returns the patterns of `like any` by which a search finds texts of words that are separated by blanks: anywhere in
 * them, or at the beginning of a word if the search is shorter than three characters. Blanks around the search, as of a
 * copied address, do not count; blanks alone find nothing.
 */
export function searchPatterns(search: string): string[] {
  const words = search.trim().replace(/\s+/g, ' ');
  if (words === '') return [];
  const text = words.toLowerCase().replace(/[\\%_]/g, '\\$&');
  return words.length >= TRIGRAM ? [`%${text}%`] : [`${text}%`, `% ${text}%`];
}
