import { escapeHtml } from '../../kernel/html.ts';
import { normalized } from './words.ts';

const MAX_LENGTH = 220;
const BEFORE = 60;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** English endings, so that `breakouts` is marked for `breakout`. */
const ENDING = /(?:ements?|ations?|ings?|ies|ed|er|ers|es|ly|e|s|y)$/;

const stemOf = (word: string): string => {
  const stem = word.replace(ENDING, '');
  return stem.length >= 3 ? stem : word;
};

/**
 * Returns the part of a text around the first matching word, as HTML: matching words are in `<mark>`, the rest is
 * escaped. Without a match it returns the beginning.
 * @param words normalized; the last one also matches as a prefix
 */
export function excerptOf(text: string, words: string[]): string {
  const stems = new Set(words.map(stemOf));
  const last = words.at(-1);
  const isHit = (word: string): boolean => {
    const key = normalized(word);
    return stems.has(stemOf(key)) || (last !== undefined && last.length >= 2 && key.startsWith(last));
  };
  const hits = [...text.matchAll(WORD)]
    .filter(([word]) => isHit(word))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
  const [from, to] = windowOf(text, hits[0]?.start ?? 0);
  let shown = from > 0 ? '…' : '';
  let at = from;
  for (const { start, end } of hits) {
    if (start < at || end > to) continue;
    shown += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return shown + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : '');
}

/** Returns the part of the text around a position, cut between words if possible. */
function windowOf(text: string, place: number): [number, number] {
  if (text.length <= MAX_LENGTH) return [0, text.length];
  let from = Math.max(0, Math.min(place - BEFORE, text.length - MAX_LENGTH));
  if (from > 0) {
    const space = text.indexOf(' ', from);
    if (space >= 0 && space < place) from = space + 1;
  }
  let to = Math.min(text.length, from + MAX_LENGTH);
  if (to < text.length) {
    const space = text.lastIndexOf(' ', to);
    if (space > place) to = space;
  }
  return [onBoundary(text, from), onBoundary(text, to)];
}

/** Avoids cutting a surrogate pair. */
const onBoundary = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at;
