import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  // PgBouncer refuses to run as root. In a user namespace it takes itself for another user, but keeps root's access to
  // files.
  const asOther =
    process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  const [command, ...args] = [...asOther, process.env.TEST_PGBOUNCER as string, file];
  const child = spawn(command as string, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      output += chunk;
      if (output.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${output}`)));
  });
  after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  return `postgresql://platform@127.0.0.1:${port}${pathname}`;
}
