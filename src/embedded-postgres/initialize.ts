import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { identityOf, type RunAs } from './run-as.ts';

/**
 * Initializes into a temporary folder and renames it when complete, so that a crash leaves no partial directory. The
 * folder is another one for each start: after a kill -9 the former `initdb` may still be writing to its own.
 */
export async function initialize(run: RunAs, directory: string): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return;
  removePartial(directory);
  const partial = `${directory}.partial-${randomBytes(4).toString('hex')}`;
  const [command, ...args] = [
    ...run.prefix,
    join(run.programs, 'bin', 'initdb'),
    '--pgdata',
    partial,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--no-instructions',
  ];
  // Asynchronous, because Ctrl-C interrupts initdb together with this process, which must handle the signal before it
  // sees the failure.
  const initdb = spawn(command as string, args, {
    ...identityOf(run),
    cwd: run.data,
    env: { PATH: process.env.PATH, LANG: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], complaints] = await Promise.all([once(initdb, 'close'), text(initdb.stderr)]);
  if (code !== 0) throw new OperatorFault(`PostgreSQL could not be initialized. ${complaints.trim()}`);
  renameSync(partial, directory);
  removePartial(directory);
}

/** Removes what interrupted starts have left, unless it is still written to. */
function removePartial(directory: string): void {
  const folder = dirname(directory);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(directory)}.partial`)) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}
