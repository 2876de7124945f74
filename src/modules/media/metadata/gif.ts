import type { EditList } from './edits.ts';
import { type ByteSource, Unreadable } from './source.ts';

const READ_AT_ONCE = 64 * 1024;
const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION, COMMENT] = [0xf9, 0xff, 0xfe];
/** How often an animation is repeated, and the colour profile. */
const KEPT_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];
/** The longest block of data: its length, and zeros. */
const FULL_BLOCK = Buffer.concat([Buffer.from([255]), Buffer.alloc(255)]);

/**
 * Keeps pictures, their timing, {@link KEPT_APPLICATIONS}; all other extensions become comments of zeros. What is no block
 * ends the file as its trailer does, once it has a picture, since viewers show what came before.
 */
export async function editGif(source: ByteSource, edits: EditList): Promise<void> {
  const byteAt = async (at: number): Promise<number | undefined> => (await source.read(at, 1))[0];
  /** The bytes of a table of colours, as a packed field announces it. */
  const coloursOf = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

  let hasPicture = false;
  for (let at = 13 + coloursOf(await byteAt(10)); at < source.bytes; ) {
    const [kind, label] = await source.read(at, 2);
    if (kind === TRAILER) return edits.blankFrom(at + 1);
    if (kind === IMAGE) {
      at = await endOfBlocks(source, at + 11 + coloursOf(await byteAt(at + 9)));
      hasPicture = true;
    } else if (kind === EXTENSION) {
      const start = at + 2;
      at = await endOfBlocks(source, start);
      if (label !== GRAPHIC_CONTROL && !(label === APPLICATION && (await isKept(source, start)))) {
        edits.write(start - 1, Buffer.from([COMMENT]));
        blankBlocks(edits, start, at);
      }
    } else if (kind === 0) at += 1;
    else if (hasPicture) return edits.blankFrom(at);
    else throw new Unreadable('no block');
  }
}

const isKept = async (source: ByteSource, start: number): Promise<boolean> =>
  KEPT_APPLICATIONS.includes((await source.read(start + 1, 11)).toString('latin1'));

/** Returns where a sequence of blocks ends, after the empty one. */
async function endOfBlocks(source: ByteSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const bytes = await source.read(at, READ_AT_ONCE);
    if (bytes.length === 0) return source.bytes;
    for (let place = 0; place < bytes.length; ) {
      const length = bytes[place] as number;
      place += 1 + length;
      if (length === 0) return at + place;
      if (place >= bytes.length) {
        at += place;
        break;
      }
    }
  }
}

/** Overwrites a sequence of blocks with blocks of zeros, lengths included: some programs write text across them. */
function blankBlocks(edits: EditList, start: number, end: number): void {
  const length = end - start - 1;
  if (length < 2) {
    edits.blank(start, end - start);
    return;
  }
  // No block is shorter than two bytes, as an empty one would end the sequence.
  const tail = length % 256 === 1 ? 257 : length % 256;
  edits.fill(start, length - tail, FULL_BLOCK);
  let at = end - 1 - tail;
  for (const block of tail === 257 ? [255, 2] : [tail]) {
    if (block === 0) continue;
    edits.write(at, Buffer.from([block - 1]));
    edits.blank(at + 1, block - 1);
    at += block;
  }
  // The file may end before the empty block.
  edits.blank(end - 1, 1);
}
