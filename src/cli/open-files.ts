import { readFileSync } from 'node:fs';

/** What a process has open besides its clients: files, and connections to the database and to other systems. */
const OTHERS = 500;

/**
 * Says that the system lets this process open fewer files and connections than it may have clients: it would accept none
 * beyond, before its own limit is reached. Undefined if it lets it, or where that cannot be read.
 * @param clients how many connections its settings allow
 */
export function tooFewFiles(clients: number): string | undefined {
  const limit = openFilesLimit();
  if (limit === undefined || limit >= clients + OTHERS) return undefined;
  return `LIVE_CONNECTIONS allows ${clients} connections, but the system lets this process open ${limit} files and connections in all: raise that (LimitNOFILE, ulimit -n), or lower LIVE_CONNECTIONS`;
}

/** Returns the limit, which Node.js has raised as far as it may; undefined if there is none, or where it cannot be read. */
function openFilesLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found ? Number(found[1]) : undefined;
  } catch {
    return undefined;
  }
}
