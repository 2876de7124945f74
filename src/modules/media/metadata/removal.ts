import { type Edit, type EditList, editList } from './edits.ts';
import { editGif } from './gif.ts';
import { editJpeg } from './jpeg.ts';
import { editMovie } from './movies.ts';
import { editPng } from './png.ts';
import type { ByteSource } from './source.ts';
import { editWebp } from './webp.ts';

const EDITORS: Record<string, (source: ByteSource, edits: EditList) => Promise<void>> = {
  jpg: editJpeg,
  png: editPng,
  webp: editWebp,
  gif: editGif,
  avif: (source, edits) => editMovie(source, edits, true),
  mp4: (source, edits) => editMovie(source, edits, false),
};

/**
 * Returns what must be overwritten in a file so that it says nothing of the place, the time, the device and the author of
 * the picture: everything but what is known to determine how it looks and sounds.
 * @param extension of its type, which its first bytes must have
 * @throws Unreadable
 */
export async function metadataEdits(extension: string, source: ByteSource): Promise<Edit[]> {
  const edits = editList(source.bytes);
  await EDITORS[extension]?.(source, edits);
  return edits.sorted();
}
