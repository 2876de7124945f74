import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Unreadable } from './source.ts';

/** Bytes of a file that are overwritten, by a pattern that is repeated from `at` to `end` (exclusive). */
export interface Edit {
  at: number;
  end: number;
  pattern: Buffer;
}

const ZERO = Buffer.alloc(1);
/** More than any real file needs; an edit takes some hundred bytes of memory. */
const MAX_EDITS = 20_000;

/**
 * Collects what is overwritten in a file of this length. Every edit keeps the length, so that lengths, ranges and the
 * offsets within a file stay true.
 */
export function editList(bytes: number) {
  const edits: Edit[] = [];

  function fill(at: number, length: number, pattern: Buffer): void {
    const end = Math.min(bytes, at + length);
    if (end <= at) return;
    const last = edits.at(-1);
    if (last && last.end === at && last.pattern === ZERO && pattern === ZERO) last.end = end;
    else if (edits.push({ at, end, pattern }) > MAX_EDITS) throw new Unreadable('too much to remove');
  }

  return {
    /** Overwrites with zeros. */
    blank: (at: number, length: number): void => fill(at, length, ZERO),
    /** Overwrites with zeros from here to the end. */
    blankFrom: (at: number): void => fill(at, bytes - at, ZERO),
    write: (at: number, written: Buffer | string): void => {
      const pattern = Buffer.from(written as string, 'latin1');
      fill(at, pattern.length, pattern);
    },
    /** Overwrites with repetitions of a pattern. */
    fill,
    /** Returns the edits, which must not overlap, in the order of their places. */
    sorted: (): Edit[] => edits.sort((a, b) => a.at - b.at),
  };
}

export type EditList = ReturnType<typeof editList>;

/** Returns the ETag of a file with these edits: that of the stored file if there are none. */
export function etagWith(etag: string, edits: Edit[]): string {
  if (edits.length === 0) return etag;
  const hash = createHash('sha256');
  for (const { at, end, pattern } of edits) hash.update(`${at}-${end}:`).update(pattern);
  return `"${etag.replace(/^W\/|"/g, '')}-${hash.digest('hex').slice(0, 16)}"`;
}

/** Returns the bytes of a stream that begins at an offset of the file, with the edits. */
export function withEdits(body: Readable, edits: Edit[], offset: number): Readable {
  let next = firstAfter(edits, offset);
  if (next === edits.length) return body;
  let at = offset;

  function overwritten(chunk: Buffer): Buffer {
    const end = at + chunk.length;
    let copy: Buffer | undefined;
    for (let edit = edits[next]; edit && edit.at < end; edit = edits[next]) {
      copy ??= Buffer.from(chunk);
      overwrite(copy, at, edit);
      if (edit.end > end) break;
      next++;
    }
    at = end;
    return copy ?? chunk;
  }

  const edited = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, overwritten(chunk)),
  });
  // A failure of either reaches the reader, since it destroys the other.
  pipeline(body, edited, () => undefined);
  return edited;
}

/** Makes the edits in a whole file. */
export function editBytes(file: Buffer, edits: Edit[]): void {
  for (const edit of edits) overwrite(file, 0, edit);
}

/** Overwrites the part of an edit that lies within these bytes, which begin at an offset of the file. */
function overwrite(bytes: Buffer, offset: number, { at, end, pattern }: Edit): void {
  const [from, to] = [Math.max(at, offset), Math.min(end, offset + bytes.length)];
  if (pattern.length === 1) bytes.fill(pattern, from - offset, to - offset);
  else
    for (let place = from; place < to; place++)
      bytes[place - offset] = pattern[(place - at) % pattern.length] as number;
}

/** Returns the number of edits that end at or before an offset. */
function firstAfter(edits: Edit[], offset: number): number {
  let [low, high] = [0, edits.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edits[middle] as Edit).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
