/** Whether each `%` of a text begins a byte of UTF-8 in percent-encoding (RFC 3986, section 2.1). */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
