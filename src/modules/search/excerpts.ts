import { escapeHtml } from '../../kernel/text/html.ts';
import { normalized } from './words.ts';

const MAX_LENGTH = 220;
const BEFORE = 60;
/**
 * Maximum number of words with letters beyond ASCII that are normalized for one response, at about a microsecond each.
 * Later ones are not marked.
 */
const MAX_NORMALIZED = 3_000;
/** English endings, so that `breakouts` is marked for `breakout`. */
const ENDING = /(?:ements?|ations?|ings?|ies|ed|er|ers|es|ly|e|s|y)$/;

const stemOf = (word: string): string => {
  const stem = word.replace(ENDING, '');
  return stem.length >= 3 ? stem : word;
};

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** Returns a pattern that matches the words of an ASCII text that begin with one of the texts. */
function beginningWith(beginnings: string[]): RegExp {
  const plain = beginnings.filter((one) => /^[a-z0-9]+$/.test(one));
  return new RegExp(`(?<![a-z0-9])(?:${plain.join('|') || '(?!)'})[a-z0-9]*`, 'gi');
}

/**
 * Makes excerpts for the results of one query. An excerpt is the part of a text around its first matching word, as HTML:
 * matching words are in `<mark>`, the rest is escaped. Without a match it is the beginning of the text.
 * @param words normalized; the last one also matches as a prefix
 */
export function excerpts(words: string[]): (text: string) => string {
  const stems = new Set(words.map(stemOf));
  const last = words.at(-1);
  const plain = beginningWith([...stems, ...(last === undefined ? [] : [last])]);
  let mayNormalize = MAX_NORMALIZED;

  const isHit = (word: string): boolean => {
    const isPlain = isAscii(word);
    if (!isPlain && mayNormalize-- <= 0) return false;
    const key = isPlain ? word.toLowerCase() : normalized(word);
    return stems.has(stemOf(key)) || (last !== undefined && last.length >= 2 && key.startsWith(last));
  };

  function* hitsIn(text: string) {
    for (const match of text.matchAll(isAscii(text) ? plain : WORD)) if (isHit(match[0])) yield match;
  }

  return (content) => {
    const text = content.trim();
    const hits = hitsIn(text);
    const first = hits.next();
    const [from, to] = windowOf(text, first.done ? 0 : first.value.index);
    let shown = from > 0 ? '…' : '';
    let at = from;
    for (let hit = first; !hit.done; hit = hits.next()) {
      const { 0: word, index } = hit.value;
      const end = index + word.length;
      if (end > to) break;
      shown += `${escapeHtml(text.slice(at, index))}<mark>${escapeHtml(word)}</mark>`;
      at = end;
    }
    return shown + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : '');
  };
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
  const [start, end] = [onBoundary(text, from), onBoundary(text, to)];
  const shown = text.slice(start, end);
  return [end - shown.trimStart().length, start + shown.trimEnd().length];
}

/** Avoids cutting a surrogate pair. */
const onBoundary = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at;
