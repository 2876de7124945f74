import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { initialize } from './initialize.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.ts';
import { embeddedPrograms } from './programs.ts';
import { identityOf, type RunAs, runAs } from './run-as.ts';

interface ClusterOptions {
  /** The folder for all files that PostgreSQL writes; created if missing. */
  folder: string;
  /** `-c` settings, in addition to the defaults below. */
  settings?: Record<string, string>;
  onUnexpectedExit?: (code: number | null) => void;
  /** How long to start PostgreSQL again and again that exits at the first start; for tests. */
  retryMs?: number;
}

export interface Cluster {
  /** Returns the connection URL of a database of this cluster. */
  urlOf(database: string): string;
  /** Creates the database, from the template if one is named, unless it exists. */
  createDatabase(name: string, template?: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Closes every connection and stops PostgreSQL cleanly. */
  stop(): Promise<void>;
  /** Kills PostgreSQL, for a process that cannot wait; the next start recovers from its log. */
  abandon(): void;
  readonly pid: number | undefined;
}

/** After a crash, replaying the log may take minutes. */
const READY_TIMEOUT_MS = 300_000;
/** For how long a first start tries again while PostgreSQL exits each time; then the start fails with the end of its log. */
const RETRY_MS = 15_000;
const LOG = 'postgres.log';
const STOP_TIMEOUT_MS = 8_000;
/** A socket's path is limited to 107 characters, and PostgreSQL appends its own file name. */
const SOCKET_FOLDER_MAX = 88;

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  max_connections: '120',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
};

/**
 * Starts an embedded PostgreSQL that only this machine can reach, over a socket in a folder that only this user may
 * enter. First cleans up after earlier runs (a stale pid file, an orphaned server, a partial directory), so the caller
 * must ensure that no other instance owns the folder. Restarts PostgreSQL if it dies.
 */
export async function startCluster({
  folder,
  settings,
  onUnexpectedExit,
  retryMs = RETRY_MS,
}: ClusterOptions): Promise<Cluster> {
  const run = runAs(embeddedPrograms(), resolve(folder));
  const directory = join(run.data, 'data');
  await stopOrphan(directory);
  await initialize(run, directory);
  const sockets = socketFolder(run);
  const urlOf = (database: string) =>
    `postgresql:///${encodeURIComponent(database)}?host=${encodeURIComponent(sockets)}&user=postgres`;

  let stopping = false;
  const launched = { directory, sockets, settings: { ...SETTINGS, ...settings }, url: urlOf('postgres') };
  let server = await launch(run, { ...launched, retryMs });
  const supervise = (): void => {
    server.once('exit', async (code) => {
      if (stopping) return;
      onUnexpectedExit?.(code);
      server = await launch(run, { ...launched, retryMs: READY_TIMEOUT_MS });
      supervise();
    });
  };
  supervise();

  const administer = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  return {
    urlOf,
    get pid() {
      return server.pid;
    },
    createDatabase: async (name, template = 'template0') => {
      await administer(
        `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`,
      ).catch((error) => {
        if (error.code !== '42P04') throw error; // already exists
      });
    },
    dropDatabase: (name) => administer(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
    abandon: () => {
      stopping = true;
      server.kill('SIGQUIT');
    },
    stop: async () => {
      stopping = true;
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGINT'); // PostgreSQL's "fast" shutdown
        await exited(() => server.exitCode !== null || server.signalCode !== null, server.pid as number);
      }
      if (!sockets.startsWith(run.data)) rmSync(sockets, { recursive: true, force: true });
    },
  };
}

/** Returns the URL of a cluster that another process runs in this folder, if there is one. */
export function runningClusterUrl(folder: string, database: string): string | undefined {
  const directory = join(runAs(embeddedPrograms(), resolve(folder)).data, 'data');
  const postmaster = readPostmasterFile(directory);
  // While it starts, the file has no folder of the socket yet.
  if (!postmaster?.socketFolder || !isPostmasterOf(directory, postmaster.pid)) return undefined;
  return `postgresql:///${encodeURIComponent(database)}?host=${encodeURIComponent(postmaster.socketFolder)}&user=postgres`;
}

async function stopOrphan(directory: string): Promise<void> {
  const postmaster = readPostmasterFile(directory);
  if (!postmaster) return;
  const alive = () => isPostmasterOf(directory, postmaster.pid);
  if (alive()) {
    process.kill(postmaster.pid, 'SIGINT');
    await exited(() => !alive(), postmaster.pid);
  }
  rmSync(join(directory, 'postmaster.pid'), { force: true });
}

async function exited(hasExited: () => boolean, pid: number): Promise<void> {
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  let forced = false;
  while (!hasExited()) {
    if (!forced && performance.now() > deadlineMs) {
      forced = true;
      process.kill(pid, 'SIGQUIT'); // immediate shutdown; the next start recovers from the log
    }
    await sleep(10);
  }
}

/** The parameters of a server: the folder of its data, the folder of its sockets, and its settings. */
interface Launched {
  directory: string;
  sockets: string;
  settings: Record<string, string>;
}

/**
 * Starts PostgreSQL and waits until it answers. Retries while it exits immediately: after a kill -9, backends of the
 * previous run hold the shared memory briefly.
 */
async function launch(
  run: RunAs,
  { url, retryMs, ...launched }: Launched & { url: string; retryMs: number },
): Promise<ChildProcess> {
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  let giveUpMs: number | undefined;
  for (;;) {
    const server = spawnPostgres(run, launched);
    const isUp = await untilReady(
      url,
      deadlineMs,
      () => server.exitCode !== null || server.signalCode !== null,
    );
    if (isUp) return server;
    giveUpMs ??= Math.min(deadlineMs, performance.now() + retryMs);
    if (performance.now() > giveUpMs) {
      const log = readFileSync(join(run.data, LOG), 'utf8').trim().split('\n').slice(-5).join('\n');
      throw new OperatorFault(`PostgreSQL did not start. The end of its log:\n${log}`);
    }
    await sleep(100);
  }
}

function spawnPostgres(run: RunAs, { directory, sockets, settings }: Launched): ChildProcess {
  const log = openSync(join(run.data, LOG), 'a', 0o600);
  const [command, ...args] = [
    ...run.prefix,
    join(run.programs, 'bin', 'postgres'),
    '-D',
    directory,
    '-k',
    sockets,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const server = spawn(command as string, args, {
    ...identityOf(run),
    cwd: run.data,
    // Outside the terminal's process group: Ctrl-C must reach PostgreSQL only after this process has drained.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LANG: 'C', PGTZ: 'UTC' },
  });
  server.on('error', () => undefined); // it also exits, which launch detects
  // Being detached, it would outlive a process that ends while it starts or while it is not answering.
  const kill = (): boolean => server.kill('SIGQUIT');
  process.once('exit', kill);
  server.once('exit', () => process.off('exit', kill));
  closeSync(log);
  return server;
}

function socketFolder(run: RunAs): string {
  let folder = join(run.data, 'run');
  if (folder.length > SOCKET_FOLDER_MAX) folder = mkdtempSync(join(tmpdir(), 'platform-api-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (run.uid !== undefined) chownSync(folder, run.uid, run.gid as number);
  return folder;
}

/** Returns whether it answered before it exited or the deadline passed. */
async function untilReady(url: string, deadlineMs: number, hasExited: () => boolean): Promise<boolean> {
  while (!hasExited() && performance.now() < deadlineMs) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } catch {
      await sleep(15);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}
