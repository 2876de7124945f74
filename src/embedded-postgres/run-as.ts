import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** How to start PostgreSQL's programs, and where the programs and data are. */
export interface RunAs {
  /** The command line to put before the program and its arguments. */
  prefix: string[];
  uid?: number;
  gid?: number;
  /** The folder with `bin/postgres`. */
  programs: string;
  /** The folder for all files that PostgreSQL writes. */
  data: string;
}

/** Returns the options of `spawn` for it. */
export function identityOf({ uid, gid }: RunAs): { uid?: number; gid?: number } {
  return uid === undefined ? {} : { uid, gid };
}

interface Account {
  uid: number;
  gid: number;
}

const SYSTEM_FOLDER = '/var/lib/platform-api';

/**
 * Returns how to run PostgreSQL, which refuses to run as root. Ordinary users run it directly; for root, uses the first
 * way that works:
 *
 * 1. If the data folder's owner is an ordinary user (`sudo npm start` in another user's clone), run as that user.
 * 2. Use a user namespace that maps root to another user's id: PostgreSQL sees an ordinary user, the file system still
 *    sees root, so programs and data may be in a folder that only root can enter.
 * 3. Where namespaces are forbidden (some containers), run as an unprivileged account: in place if the folder is
 *    accessible to it, otherwise with programs and data under /var/lib/platform-api.
 */
export function runAs(programs: string, data: string): RunAs {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return { prefix: [], programs, data };

  const owner = ownerOf(data);
  if (owner.uid !== 0) return { prefix: [], ...owner, programs, data };

  const account = unprivilegedAccount();
  const namespace = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  if (succeeds([...namespace, join(programs, 'bin', 'postgres'), '--version'])) {
    return { prefix: namespace, programs, data };
  }
  // The fallback would change the owner of the folder, or create a new database elsewhere.
  if (existsSync(join(data, 'data', 'PG_VERSION'))) {
    throw new OperatorFault(
      `The database in ${data} was created in a user namespace, and "${namespace[0]}" could not create one now. Nothing was changed: try again.`,
    );
  }
  if (canReach(account, programs) && canReach(account, dirname(resolve(data)))) {
    chownSync(data, account.uid, account.gid);
    return { prefix: [], ...account, programs, data };
  }
  return inSystemFolder(account, programs, data);
}

/** Whether there is a cluster for this folder of PostgreSQL's files, wherever `runAs` has put it. Creates nothing. */
export const hasCluster = (data: string): boolean =>
  [data, systemDataOf(data)].some((folder) => existsSync(join(folder, 'data', 'PG_VERSION')));

const systemDataOf = (data: string): string => join(SYSTEM_FOLDER, `data-${short(resolve(data))}`);

function inSystemFolder(account: Account, programs: string, data: string): RunAs {
  const copy = join(SYSTEM_FOLDER, `programs-${short(programs)}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    cpSync(programs, partial, { recursive: true, verbatimSymlinks: true });
    renameSync(partial, copy);
  }
  const moved = systemDataOf(data);
  mkdirSync(moved, { recursive: true, mode: 0o700 });
  chownSync(moved, account.uid, account.gid);
  rmSync(data, { recursive: true, force: true });
  return { prefix: [], ...account, programs: copy, data: moved };
}

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

function ownerOf(path: string): Account {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** PostgreSQL looks up its user by id, so the account must exist on the system. */
function unprivilegedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  for (const wanted of ['postgres', 'nobody']) {
    const account = accounts.find(({ name }) => name === wanted);
    if (account) return { uid: account.uid, gid: account.gid };
  }
  throw new Error(
    'PostgreSQL cannot run as root, and this system has neither a user "postgres" nor "nobody"',
  );
}

function succeeds([command, ...args]: string[], account?: Account): boolean {
  return spawnSync(command as string, args, { stdio: 'ignore', timeout: 5000, ...account }).status === 0;
}

const canReach = (account: Account, folder: string): boolean => succeeds(['test', '-x', folder], account);
