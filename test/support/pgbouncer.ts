import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { freePort } from './ports.ts';

/** The reason why tests with PgBouncer are skipped; false if it is installed. */
export const noPgBouncer = process.env.TEST_PGBOUNCER ? false : 'no pgbouncer here';

interface Options {
  mode: 'session' | 'transaction';
  /** Whether it ignores unknown startup options of a connection instead of refusing the connection. */
  dropsOptions?: boolean;
  /** How many connections to PostgreSQL it opens for a database. */
  connections?: number;
}

/**
 * Starts PgBouncer in front of a database until the test file ends, and returns the database's URL through it. Must
 * only be called if `noPgBouncer` is false.
 */
export async function startPgBouncer(url: string, options: Options): Promise<string> {
  const pgbouncer = await runPgBouncer(url, options);
  after(pgbouncer.stop);
  return pgbouncer.url;
}

export interface PgBouncer {
  /** The database's URL through it. */
  url: string;
  /** Kills it, with all connections through it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Kills it for good. */
  stop(): Promise<void>;
}

/** The same until it is stopped. */
export async function runPgBouncer(url: string, options: Options): Promise<PgBouncer> {
  const { mode, dropsOptions = false, connections = 20 } = options;
  const { pathname, searchParams, username, hostname, port: serverPort } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const server = [
    `host=${searchParams.get('host') ?? hostname}`,
    serverPort && `port=${serverPort}`,
    `user=${decodeURIComponent(username) || searchParams.get('user') || 'postgres'}`,
  ];
  const settings = [
    '[databases]',
    `* = ${server.filter(Boolean).join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${connections}`,
    // Instead of 15 seconds after the database was away.
    'server_login_retry = 1',
    `ignore_startup_parameters = extra_float_digits${dropsOptions ? ',options' : ''}`,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${settings.join('\n')}\n`);
  chmodSync(folder, 0o755);
  // PgBouncer refuses to run as root. In a user namespace it takes itself for another user, but keeps root's access to
  // files.
  const asOther =
    process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  const [command, ...args] = [...asOther, process.env.TEST_PGBOUNCER as string, file];
  const launch = () => untilUp(spawn(command as string, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
  let child = await launch();
  async function kill(): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  return {
    url: `postgresql://platform@127.0.0.1:${port}${pathname}`,
    kill,
    start: async () => {
      child = await launch();
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilUp(child: ChildProcessByStdio<null, null, Readable>) {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      output += chunk;
      if (output.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${output}`)));
  });
  return child;
}
