/** `=?UTF-8?B?` and `?=` around 60 characters of base64 stay below the 75 that an encoded word may have. */
const MAX_BYTES_OF_WORD = 45;

/**
 * Writes a text for a header field: as it is where that is plain ASCII, else as encoded words (RFC 2047), each of whole
 * characters. A text that looks like an encoded word itself is encoded, too, so that mail programs show what was written.
 * @param text of one line
 */
export function encodedWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > MAX_BYTES_OF_WORD) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}
