/** Bytes needed to identify a file: in photographs, the size follows the camera's metadata. */
export const HEAD_BYTES = 1024 * 1024;

/** Larger pictures exhaust a viewer's memory, even if the file is small. */
const MAX_PIXELS = 50_000_000;

interface Size {
  width: number;
  height: number;
}

/** Returns the picture's size; undefined if the bytes are not such a picture, or its size does not stand in the head. */
type Read = (head: Buffer) => Size | undefined;

/**
 * Returns whether the first bytes of a file match its extension. Pictures must have a size that browsers can display.
 */
export function isContentOf(extension: string, head: Buffer): boolean {
  if (extension === 'mp4') return isMp4(head);
  const size = PICTURES[extension]?.(head);
  return size !== undefined && size.width > 0 && size.height > 0 && size.width * size.height <= MAX_PIXELS;
}

const text = (head: Buffer, start: number, end: number): string => head.toString('latin1', start, end);

const PICTURES: Record<string, Read> = {
  png(head) {
    if (text(head, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(head, 12, 16) !== 'IHDR' || head.length < 24)
      return undefined;
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  },
  gif(head) {
    if (!/^GIF8[79]a$/.test(text(head, 0, 6)) || head.length < 10) return undefined;
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  },
  jpg: sizeOfJpeg,
  webp: sizeOfWebp,
  avif: sizeOfAvif,
};

/** Whether a JPEG marker starts a frame, which contains the size; three markers in the range have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function sizeOfJpeg(head: Buffer): Size | undefined {
  if (text(head, 0, 3) !== '\xff\xd8\xff') return undefined;
  for (let at = 2; at + 9 < head.length; ) {
    if (head[at] !== 0xff) return undefined;
    const marker = head[at + 1] ?? 0;
    // Markers may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) };
    else at += 2 + head.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(head: Buffer): Size | undefined {
  if (text(head, 0, 4) !== 'RIFF' || text(head, 8, 12) !== 'WEBP' || head.length < 30) return undefined;
  switch (text(head, 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  }
  return undefined;
}

/** Returns the brands in the first box of an MPEG-4 or derived file. */
function brandsOf(head: Buffer): string[] {
  if (text(head, 4, 8) !== 'ftyp' || head.length < 16) return [];
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands = [text(head, 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(head, at, at + 4));
  return brands;
}

function sizeOfAvif(head: Buffer): Size | undefined {
  if (!brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')) return undefined;
  let largest: Size | undefined;
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

const STILL = ['avif', 'avis', 'heic', 'heix', 'mif1', 'msf1'];

function isMp4(head: Buffer): boolean {
  const [major] = brandsOf(head);
  return major !== undefined && !STILL.includes(major);
}
