const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const ELLIPSIS = '…';

/**
 * Returns the text, or its longest prefix that fits with an ellipsis. Cuts between grapheme clusters, so that no emoji
 * or accented letter is split.
 * @param fits must be monotonic: true for every prefix of a text for which it is true
 */
export function shorten(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const ends = [0, ...Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length)];
  const cutAt = (place: number): string => text.slice(0, ends[place]).trimEnd() + ELLIPSIS;
  let [most, tooMany] = [0, ends.length - 1];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >> 1;
    if (fits(cutAt(middle))) most = middle;
    else tooMany = middle;
  }
  return most === 0 ? '' : cutAt(most);
}

/** Shortens a text to at most `maxLength` Unicode code points, the unit of JSON Schema's `maxLength`. */
export const shortenTo = (text: string, maxLength: number): string =>
  shorten(text, (one) => one.length <= maxLength || [...one].length <= maxLength);
