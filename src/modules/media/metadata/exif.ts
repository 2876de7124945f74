import type { EditList } from './edits.ts';

const ORIENTATION = 0x0112;
/** Precedes the tags in a JPEG, and in some WebP files. */
export const EXIF_HEADER = 'Exif\0\0';

/** Returns how a viewer turns the picture, 2 to 8; undefined if upright. Ignores what is not understood, as viewers do. */
function orientationIn(tiff: Buffer): number | undefined {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined;
  const isLittle = order.startsWith('II');
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.length) return undefined;
  const count = short(start);
  for (let at = start + 2; at < start + 2 + count * 12 && at + 12 <= tiff.length; at += 12) {
    if (short(at) !== ORIENTATION) continue;
    const value = short(at + 8);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** The orientation as the only tag, in as few bytes as it can be said. */
function tiffWith(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/**
 * Returns the beginning of Exif data that say only how the picture is turned, which zeros may follow; undefined if it is
 * upright.
 * @param start where the tags begin: after {@link EXIF_HEADER}, if there is one
 */
export function onlyOrientation(exif: Buffer, start: number): Buffer | undefined {
  const orientation = orientationIn(exif.subarray(start));
  if (orientation === undefined) return undefined;
  return Buffer.concat([exif.subarray(0, start), tiffWith(orientation)]).subarray(0, exif.length);
}

/** Overwrites Exif data at a place by the orientation alone; returns false if nothing was kept. */
export function keepOrientation(edits: EditList, at: number, exif: Buffer): boolean {
  const hasHeader = exif.toString('latin1', 0, EXIF_HEADER.length) === EXIF_HEADER;
  const kept = onlyOrientation(exif, hasHeader ? EXIF_HEADER.length : 0);
  if (kept) edits.write(at, kept);
  const length = kept?.length ?? 0;
  edits.blank(at + length, exif.length - length);
  return kept !== undefined;
}
