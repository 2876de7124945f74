import { crc32 } from 'node:zlib';
import type { EditList } from './edits.ts';
import { onlyOrientation } from './exif.ts';
import { type ByteSource, Unreadable } from './source.ts';

/** Chunks that determine the look: picture, colours, transparency, proportions, animation. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs cICP mDCV mDCv cLLI cLLi acTL fcTL fdAT'.split(
    ' ',
  ),
);
/** A private type that every decoder passes over. */
const SKIPPED = 'skIp';
const ZEROS = Buffer.alloc(64 * 1024);
/** Longer Exif data has no orientation that is worth reading. */
const MAX_EXIF = 1024 * 1024;

/** Keeps {@link KEPT}, and of Exif data the orientation; other chunks become empty ones of the same length. */
export async function editPng(source: ByteSource, edits: EditList): Promise<void> {
  for (let at = 8; at < source.bytes; ) {
    const head = await source.read(at, 8);
    if (head.length < 8) return edits.blankFrom(at);
    const chunk = { at, length: head.readUInt32BE(0), type: head.toString('latin1', 4) };
    if (!/^[A-Za-z]{4}$/.test(chunk.type)) throw new Unreadable('no chunk');
    if (!KEPT.has(chunk.type)) await editChunk(source, edits, chunk);
    at += 12 + chunk.length;
    if (chunk.type === 'IEND') return edits.blankFrom(at);
  }
}

async function editChunk(
  source: ByteSource,
  edits: EditList,
  { at, length, type }: { at: number; length: number; type: string },
): Promise<void> {
  if (/^[A-Z]/.test(type)) throw new Unreadable('an unknown chunk that matters');
  const isWhole = at + 12 + length <= source.bytes;
  const exif = type === 'eXIf' && isWhole && length <= MAX_EXIF && (await source.read(at + 8, length));
  const kept = exif ? onlyOrientation(exif, 0) : undefined;
  const start = kept ?? Buffer.alloc(0);
  if (kept) edits.write(at + 8, kept);
  else edits.write(at + 4, SKIPPED);
  edits.blank(at + 8 + start.length, length - start.length);
  if (!isWhole) return;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(withZeros(crc32(start, crc32(kept ? type : SKIPPED)), length - start.length));
  edits.write(at + 8 + length, checksum);
}

/** Returns the checksum of what has this one, followed by so many zeros. */
function withZeros(before: number, length: number): number {
  let checksum = before;
  for (let left = length; left > 0; left -= ZEROS.length)
    checksum = crc32(left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS, checksum);
  return checksum;
}
