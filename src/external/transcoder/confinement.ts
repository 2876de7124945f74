import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Account {
  uid: number;
  gid: number;
}

/** How programs that read untrusted uploads run. */
export interface Confinement {
  /** The command line to put before the program and its arguments. */
  prefix: string[];
  /** Whether the system can limit memory and time. */
  hasLimits: boolean;
  /** The account of the programs, if it is not that of this process; it must own their working folder. */
  account?: Account;
}

const DIE_WITH_PARENT = ['--pdeathsig', 'KILL'];
const NO_PRIVILEGES = '--no-new-privs';

/**
 * Returns the strictest confinement that this system allows for work below `root`, in this order: another account
 * without network; another account; no network; or at least a process that dies with this one. None can be required:
 * containers often forbid namespaces, and only root can switch users.
 */
export function findConfinement(program: string, root: string): Confinement {
  const account = process.getuid?.() === 0 ? nobody() : undefined;
  const asNobody = account && [
    ...['setpriv', '--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'],
    ...[NO_PRIVILEGES, ...DIE_WITH_PARENT, '--'],
  ];
  const asOurselves = ['setpriv', NO_PRIVILEGES, ...DIE_WITH_PARENT, '--'];
  const candidates: Omit<Confinement, 'hasLimits'>[] = [
    ...(asNobody
      ? [
          { prefix: ['unshare', '-n', ...asNobody], account },
          { prefix: asNobody, account },
        ]
      : []),
    { prefix: ['unshare', '-rn', ...asOurselves] },
    { prefix: asOurselves },
  ];
  for (const hasLimits of [true, false])
    for (const candidate of [...candidates, { prefix: [] }]) {
      const confinement = { ...candidate, hasLimits };
      if (works(confinement, program, root)) return confinement;
    }
  return { prefix: [], hasLimits: false };
}

/** A trial that fails by time would leave this process with a weaker confinement, so it has much. */
const TRIAL_MS = 60_000;
const TRIAL = { niceness: 0, threads: 1, cpuSeconds: 10 };

function works(confinement: Confinement, program: string, root: string): boolean {
  const { prefix, account } = confinement;
  const folder = mkdtempSync(join(root, 'trial-'));
  try {
    if (account) chownSync(folder, account.uid, account.gid);
    const [command = '', ...rest] = [...limitsPrefix(TRIAL, confinement), ...prefix];
    const run = (...what: string[]) =>
      spawnSync(command, [...rest, ...what], { cwd: folder, stdio: 'ignore', timeout: TRIAL_MS }).status ===
      0;
    return run('test', '-w', folder) && run(program, '-version');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nobody(): Account | undefined {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.startsWith('nobody:'));
    const [, , uid, gid] = line?.split(':') ?? [];
    return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

const GIB = 1024 ** 3;

interface Limits {
  niceness: number;
  threads: number;
  cpuSeconds: number;
}

/** Returns the command prefix that limits a program's memory, CPU time, open files and file size. */
export function limitsPrefix(
  { niceness, threads, cpuSeconds }: Limits,
  { hasLimits }: Pick<Confinement, 'hasLimits'>,
): string[] {
  if (!hasLimits) return ['nice', '-n', String(niceness)];
  return [
    ...['nice', '-n', String(niceness), 'prlimit'],
    // The ladder needs 1.2 GiB of address space at two threads, and more for each further thread.
    `--as=${4 * GIB + threads * (GIB / 2)}`,
    // At the first limit the program is asked to end, which tells what ended it, and at the second it is killed.
    ...[
      `--cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 10}`,
      `--fsize=${4 * GIB}`,
      '--nofile=256',
      '--core=0',
      '--',
    ],
  ];
}
