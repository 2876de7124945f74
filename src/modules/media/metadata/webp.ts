import type { EditList } from './edits.ts';
import { keepOrientation } from './exif.ts';
import { type ByteSource, Unreadable } from './source.ts';

const KEPT_IN_FRAMES = ['VP8 ', 'VP8L', 'ALPH'];
const KEPT = [...KEPT_IN_FRAMES, 'VP8X', 'ANIM', 'ANMF', 'ICCP'];
/** The type of padding in files of this kind. */
const SKIPPED = 'JUNK';
/** Before the parts of a frame of an animation. */
const FRAME_HEADER = 16;
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04];
const MAX_EXIF = 1024 * 1024;

interface Chunk {
  type: string;
  at: number;
  end: number;
}

/** Keeps the parts of the picture and the colour profile, and of Exif data the orientation. */
export async function editWebp(source: ByteSource, edits: EditList): Promise<void> {
  const header = await source.read(0, 12);
  if (header.length < 12) throw new Unreadable('no header');
  const end = Math.min(source.bytes, 8 + header.readUInt32LE(4));
  let flagsAt: number | undefined;
  let hasExif = false;

  function removeUnless(kept: string[], { type, at, end }: Chunk): void {
    if (kept.includes(type)) return;
    edits.write(at - 8, SKIPPED);
    edits.blank(at, end - at);
  }

  async function editChunk(chunk: Chunk): Promise<void> {
    const { type, at, end } = chunk;
    if (type === 'VP8X') {
      if (end === at) throw new Unreadable('no flags');
      flagsAt ??= at;
    }
    if (type === 'ANMF')
      await eachChunk(at + FRAME_HEADER, end, async (part) => removeUnless(KEPT_IN_FRAMES, part));
    if (type !== 'EXIF' || end - at > MAX_EXIF) removeUnless(KEPT, chunk);
    else if (keepOrientation(edits, at, await source.read(at, end - at))) hasExif = true;
    else edits.write(at - 8, SKIPPED);
  }

  async function eachChunk(from: number, to: number, edit: (chunk: Chunk) => Promise<void>): Promise<void> {
    let at = from;
    while (at + 8 <= to) {
      const head = await source.read(at, 8);
      const length = head.readUInt32LE(4);
      await edit({ type: head.toString('latin1', 0, 4), at: at + 8, end: Math.min(to, at + 8 + length) });
      at += 8 + length + (length % 2);
    }
    if (at < to) edits.blank(at, to - at);
  }

  await eachChunk(header.length, end, editChunk);
  edits.blankFrom(end);
  if (flagsAt === undefined) return;
  const flags = (await source.read(flagsAt, 1))[0] ?? 0;
  const kept = (flags & ~(HAS_EXIF | HAS_XMP)) | (hasExif ? HAS_EXIF : 0);
  if (kept !== flags) edits.write(flagsAt, Buffer.from([kept]));
}
