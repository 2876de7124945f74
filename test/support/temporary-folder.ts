import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** Bytes; a run takes half a gigabyte. */
const MIN_MEMORY = 3 * 1024 ** 3;

/**
 * Returns a folder in memory if there is one with enough room: the copies of the template are hundreds of thousands of
 * small files, and to create one takes a disk's file system up to thirty times as long.
 */
export function temporaryFolder(): string {
  const folder = '/dev/shm';
  if (process.env.TMPDIR || !existsSync(folder)) return tmpdir();
  // Containers often forbid to run programs from there, and a test installs some.
  if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) < MIN_MEMORY ? tmpdir() : folder;
}
