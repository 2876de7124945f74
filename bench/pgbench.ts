import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Debian keeps it beside the server, not on the PATH. */
function findPgbench(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  const versions = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort().reverse()
    : [];
  const debian = versions.map((version) => join('/usr/lib/postgresql', version, 'bin/pgbench'));
  return [...onPath, ...debian].find((path) => existsSync(path));
}

/** Transactions a second of pgbench's TPC-B-like script at 8 clients; undefined where there is no pgbench. */
export function tpcB(databaseUrl: string, seconds: number): number | undefined {
  const pgbench = findPgbench();
  if (!pgbench) return undefined;
  const run = (args: string[]) =>
    execFileSync(pgbench, [...args, databaseUrl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  run(['-i', '-s', '10', '-q']);
  return Number(/tps = ([\d.]+)/.exec(run(['-c', '8', '-j', '2', '-T', String(seconds)]))?.[1]);
}
