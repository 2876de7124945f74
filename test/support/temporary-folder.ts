import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** The required room in bytes; a run of the suite takes about half a gigabyte. */
const MIN_MEMORY = 3 * 1024 ** 3;

/**
 * Returns a folder in memory if there is one with enough room. The copies of the template database are hundreds of
 * thousands of small files, and creating a file on disk takes up to thirty times as long.
 */
export function temporaryFolder(): string {
  const folder = '/dev/shm';
  if (process.env.TMPDIR || !existsSync(folder)) return tmpdir();
  // Containers often mount it `noexec`, but a test installs programs there.
  if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, freemem()) < MIN_MEMORY ? tmpdir() : folder;
}
