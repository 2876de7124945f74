// Files as they are served, without the metadata of cameras, and what a decoder makes of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Edit, withEdits } from '../../src/modules/media/metadata/edits.ts';
import { metadataEdits } from '../../src/modules/media/metadata/removal.ts';
import { windowedSource } from '../../src/modules/media/metadata/source.ts';
import { newFolder } from './videos.ts';

const folder = newFolder();

/** Windows are small, so that files are read in several. */
export const editsOf = (extension: string, file: Buffer, windowBytes = 256): Promise<Edit[]> =>
  metadataEdits(
    extension,
    windowedSource({
      bytes: file.length,
      windowBytes,
      fetch: async ({ first, last }) => file.subarray(first, last + 1),
    }),
  );

/** Returns the bytes from an offset as they are served, of a file that is read in chunks. */
export async function edited(
  file: Buffer,
  edits: Edit[],
  { from = 0, chunkBytes = 100 } = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = from; at < file.length; at += chunkBytes) chunks.push(file.subarray(at, at + chunkBytes));
  const all: Buffer[] = [];
  for await (const chunk of withEdits(Readable.from(chunks), edits, from)) all.push(chunk as Buffer);
  return Buffer.concat(all);
}

export const cleaned = async (extension: string, file: Buffer): Promise<Buffer> =>
  edited(file, await editsOf(extension, file));

/** Returns the checksums of the decoded pictures and sound, and what ffprobe says of them. */
export function decoded(name: string, file: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, file);
  const { stdout, stderr, status } = spawnSync(
    process.env.TEST_FFMPEG as string,
    ['-v', 'error', '-i', path, '-map', '0:v?', '-map', '0:a?', '-f', 'framemd5', '-'],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}
