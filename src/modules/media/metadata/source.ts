/** The file cannot be read as its type, or is not what a camera or a program for pictures would write. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** A file that is read at any place. */
export interface ByteSource {
  /** The length of the file. */
  bytes: number;
  /**
   * Returns so many bytes from an offset, fewer at the end of the file.
   * @throws Unreadable when the file takes too many reads: it has more parts than any real one
   */
  read(at: number, length: number): Promise<Buffer>;
}

/** The parts of a file that may be looked at, and the requests to the storage that this may take. */
const LIMITS = { looks: 200_000, requests: 2_000 };
const NOTHING = Buffer.alloc(0);

interface SourceOptions {
  bytes: number;
  /** Returns the bytes of a range, both inclusive. */
  fetch: (range: { first: number; last: number }) => Promise<Buffer>;
  /** What is fetched at least, since the next bytes are usually asked for next. */
  windowBytes: number;
}

/** Returns a source that holds one window of the file in memory. */
export function windowedSource({ bytes, fetch, windowBytes }: SourceOptions): ByteSource {
  let held: Buffer = NOTHING;
  let start = 0;
  const used = { looks: 0, requests: 0 };
  return {
    bytes,
    async read(at, length) {
      if (++used.looks > LIMITS.looks) throw new Unreadable('too many parts');
      const end = Math.min(bytes, at + length);
      if (end <= at) return NOTHING;
      if (at < start || end > start + held.length) {
        if (++used.requests > LIMITS.requests) throw new Unreadable('too many parts, far apart');
        held = await fetch({ first: at, last: Math.min(bytes, Math.max(end, at + windowBytes)) - 1 });
        start = at;
      }
      return held.subarray(at - start, end - start);
    },
  };
}

/**
 * Reads numbers one after the other.
 * @throws Unreadable beyond the end
 */
export function fieldsOf(bytes: Buffer) {
  let at = 0;
  /** Returns where a field begins, after which the next one does. */
  function take(size: number): number {
    if (at + size > bytes.length) throw new Unreadable('a table is cut');
    at += size;
    return at - size;
  }
  return {
    /** Returns a big-endian number of these many bytes; of none, 0. */
    uint(size: number): number {
      const start = take(size);
      if (size === 0) return 0;
      const value =
        size <= 6 ? bytes.readUIntBE(start, size) : size === 8 ? Number(bytes.readBigUInt64BE(start)) : NaN;
      if (!Number.isSafeInteger(value)) throw new Unreadable('a number is out of range');
      return value;
    },
    text(size: number): string {
      const start = take(size);
      return bytes.toString('latin1', start, start + size);
    },
    skip(size: number): void {
      at += size;
    },
    /** How many bytes were read. */
    place: (): number => at,
  };
}
