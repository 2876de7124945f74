import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Postmaster {
  pid: number;
  socketFolder: string;
}

/** Returns the content of `postmaster.pid` in a data directory, if it exists. */
export function readPostmasterFile(directory: string): Postmaster | undefined {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , , socketFolder] = readFileSync(file, 'utf8').split('\n');
  return { pid: Number(pid), socketFolder: socketFolder ?? '' };
}

/**
 * Whether the process is a PostgreSQL that serves this directory, rather than another program with a reused process id.
 */
export function isPostmasterOf(directory: string, pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  return commandLineOf(pid).includes(directory);
}

function commandLineOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}
