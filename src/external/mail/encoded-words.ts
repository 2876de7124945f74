/** `=?UTF-8?B?` and `?=` around 60 characters of base64 stay within the 75 characters of an encoded word. */
const MAX_BYTES_OF_WORD = 45;

/**
 * Encodes a text for a header field: unchanged when it is plain ASCII, otherwise as encoded words (RFC 2047) of whole
 * characters. Also encodes a text that looks like an encoded word, so that mail programs show it literally.
 * @param text a single line
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
