/** The structure of a JSON text, determined without parsing it. */
interface Outline {
  /** Approximate number of values, not counting names. */
  values: number;
  /** Maximum nesting depth of lists and objects. */
  depth: number;
  /** Whether an escape may stand for NUL or for half of a surrogate pair. */
  hasSuspectEscape: boolean;
  /** The field of the root object whose list exceeds its limit. */
  overlong: string | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SMALL_U = 0x75;
const MAX_NAME_BYTES = 200;

interface Limits {
  maxValues: number;
  maxDepth: number;
  /** Maximum length of the list in each field of the root object. */
  maxItems?: ReadonlyMap<string, number>;
}

/**
 * Reads the structure of a JSON text, at about a nanosecond per byte, a tenth of the worst cost of parsing. Ends at the
 * first limit that is exceeded. Text that is not JSON has an outline too; the parser rejects it later.
 */
export function outlineOf(bytes: Uint8Array, limits: Limits): Outline {
  const outline = new Reading(bytes, limits);
  for (let at = 0; at < bytes.length && !outline.isOverLimit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = outline.skipText(at);
    else if (byte === COMMA) outline.separate();
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) outline.open(byte === OPEN_LIST);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) outline.close();
    else if (byte === COLON) outline.name();
  }
  return outline;
}

class Reading implements Outline {
  values = 0;
  depth = 0;
  hasSuspectEscape = false;
  overlong: string | undefined;
  isOverLimit = false;

  readonly #bytes: Uint8Array;
  readonly #limits: Limits;
  #level = 0;
  /** Start and end of the last text in the root object: the name of a field if a colon follows. */
  #text = [0, 0] as [number, number];
  #field: string | undefined;
  #mostItems = Number.POSITIVE_INFINITY;
  #items = 0;

  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Returns the index of the quote that ends the text. */
  skipText(from: number): number {
    const bytes = this.#bytes;
    let at = from + 1;
    for (; at < bytes.length && bytes[at] !== QUOTE; at++) {
      if (bytes[at] !== BACKSLASH) continue;
      at++;
      if (bytes[at] === SMALL_U && isSuspect(bytes, at + 1)) this.hasSuspectEscape = true;
    }
    if (this.#level === 1) this.#text = [from, at + 1];
    return at;
  }

  name(): void {
    const { maxItems } = this.#limits;
    if (this.#level !== 1 || !maxItems) return;
    this.#field = nameOf(this.#bytes.subarray(...this.#text));
    this.#mostItems = (this.#field !== undefined && maxItems.get(this.#field)) || Number.POSITIVE_INFINITY;
  }

  separate(): void {
    this.#count();
    if (this.#level !== 2 || ++this.#items <= this.#mostItems) return;
    this.overlong = this.#field;
    this.isOverLimit = true;
  }

  open(isList: boolean): void {
    this.#count();
    this.#level++;
    if (this.#level === 2) this.#items = isList ? 1 : Number.NEGATIVE_INFINITY;
    if (this.#level <= this.depth) return;
    this.depth = this.#level;
    if (this.depth > this.#limits.maxDepth) this.isOverLimit = true;
  }

  close(): void {
    this.#level--;
  }

  #count(): void {
    if (++this.values > this.#limits.maxValues) this.isOverLimit = true;
  }
}

/** Whether four hexadecimal digits are those of NUL or of a surrogate. */
function isSuspect(bytes: Uint8Array, at: number): boolean {
  const digit = (place: number): number => (bytes[at + place] ?? 0) | 0x20;
  if (digit(0) === 0x64) return (bytes[at + 1] ?? 0) >= 0x38; // d8 to df
  return [0, 1, 2, 3].every((place) => bytes[at + place] === 0x30);
}

/** Returns a name without escapes; undefined if it is too long for a field or is not JSON. */
function nameOf(quoted: Uint8Array): string | undefined {
  if (quoted.length > MAX_NAME_BYTES) return undefined;
  const text = Buffer.from(quoted).toString();
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
