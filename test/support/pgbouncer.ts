import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from './ports.ts';

/** Why tests with PgBouncer are skipped; false where it is installed. */
export const noPgBouncer = process.env.TEST_PGBOUNCER ? false : 'no pgbouncer here';

interface Options {
  mode: 'session' | 'transaction';
  /** Whether it drops options at the start of a connection instead of refusing it. */
  dropsOptions?: boolean;
  /** How many connections to PostgreSQL it opens for a database. */
  connections?: number;
}

/**
 * Starts PgBouncer in front of the database of a URL, until the test file ends; returns the URL through it. Must only be
 * called where `noPgBouncer` is false.
 */
export async function startPgBouncer(url: string, options: Options): Promise<string> {
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
    `ignore_startup_parameters = extra_float_digits${dropsOptions ? ',options' : ''}`,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${settings.join('\n')}\n`);
  chmodSync(folder, 0o755);
  // It refuses to run as root; for the files it stays root, since PostgreSQL's socket is in a folder of ours.
  const asOther =
    process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  const [command, ...args] = [...asOther, process.env.TEST_PGBOUNCER as string, file];
  const child = spawn(command as string, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${said}`)));
  });
  after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return `postgresql://platform@127.0.0.1:${port}${pathname}`;
}
