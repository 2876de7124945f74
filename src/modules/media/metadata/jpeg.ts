import type { EditList } from './edits.ts';
import { EXIF_HEADER, keepOrientation } from './exif.ts';
import { type ByteSource, Unreadable } from './source.ts';

const SCANNED_AT_ONCE = 64 * 1024;
const [END, SCAN, EXIF, COMMENT] = [0xd9, 0xda, 0xe1, 0xfe];

const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;
/** Markers without a length: the start, restarts, and one of arithmetic coding. */
const isAlone = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
/** Frames, tables and what else a decoder needs. */
const isOfPicture = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdf);

/**
 * Keeps tables, frames and scans, and of the application's segments the orientation, the resolution, the colour profile and
 * Adobe's colour transform. What follows the end, such as further pictures and the video of a moving photograph, has
 * metadata of its own, and goes.
 */
export async function editJpeg(source: ByteSource, edits: EditList): Promise<void> {
  for (let at = 2; at < source.bytes; ) {
    const head = await source.read(at, 4);
    const marker = head[1] ?? END;
    if (head[0] !== 0xff) throw new Unreadable('no marker');
    if (marker === END) return edits.blankFrom(at + 2);
    // Markers may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (isAlone(marker)) at += 2;
    else {
      const segment = { marker, at: at + 4, length: lengthOf(head) };
      await editSegment(source, edits, segment);
      at = segment.at + segment.length;
      if (marker === SCAN) at = await endOfScan(source, at);
    }
  }
}

/** A part of a JPEG: where its content begins, and how long that is. */
interface Segment {
  marker: number;
  at: number;
  length: number;
}

function lengthOf(head: Buffer): number {
  const length = head.length < 4 ? 0 : head.readUInt16BE(2);
  if (length < 2) throw new Unreadable('a segment without a length');
  return length - 2;
}

/** Lengths of what is kept of a segment, by its marker and the text with which it begins. */
const KEPT: [number, string, number][] = [
  // The size of a thumbnail follows, and the thumbnail.
  [0xe0, 'JFIF\0', 12],
  [0xe2, 'ICC_PROFILE\0', 0xffff],
  [0xee, 'Adobe', 12],
];

async function editSegment(source: ByteSource, edits: EditList, segment: Segment): Promise<void> {
  const { marker, at, length } = segment;
  if (isOfPicture(marker)) return;
  if (!isApplication(marker) && marker !== COMMENT) throw new Unreadable('an unknown segment');
  const start = (await source.read(at, 12)).toString('latin1');
  if (marker === EXIF && start.startsWith(EXIF_HEADER)) {
    keepOrientation(edits, at, await source.read(at, length));
    return;
  }
  const [, , kept = 0] = KEPT.find(([of, name]) => of === marker && start.startsWith(name)) ?? [];
  edits.blank(at + kept, length - kept);
}

/** Whether a byte after 255 makes a marker that ends a scan. */
const endsScan = (byte: number): boolean => byte !== 0 && byte !== 0xff && !(byte >= 0xd0 && byte <= 0xd7);

/** Returns where the data of a scan end: at the next marker, or at the end of the file. */
async function endOfScan(source: ByteSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const bytes = await source.read(at, SCANNED_AT_ONCE);
    const last = bytes.length - 1;
    if (last < 1) return source.bytes;
    for (let place = 0; place < last; place++)
      if (bytes[place] === 0xff && endsScan(bytes[place + 1] as number)) return at + place;
    at += last;
  }
}
