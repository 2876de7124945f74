import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { until } from './live.ts';

/** The folder of the programs of Debian's newest PostgreSQL, which has `pg_dump` of its version, too. */
const programs = globSync('/usr/lib/postgresql/*/bin/postgres').sort().at(-1);

/** Why tests with it are skipped; false where it is installed. */
export const noDebianPostgres = programs ? false : 'no PostgreSQL of Debian here';

interface DebianPostgres {
  /** The URL of its database `platform`; the password is one that it does not ask for. */
  url: string;
  stop(): Promise<void>;
}

/** Runs as root what refuses to; the files stay root's. */
const asOther =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];

const run = (program: string, ...args: string[]): void => {
  const [command, ...rest] = [...asOther, join(dirname(programs as string), program), ...args];
  execFileSync(command as string, rest, { stdio: 'pipe' });
};

/** Starts Debian's PostgreSQL with data of its own. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'debian-postgres-'));
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '-N');
  const stop = await serve(data, folder);
  const url = `postgresql:///platform?host=${encodeURIComponent(folder)}&user=postgres&password=a-password`;
  const client = new pg.Client({ connectionString: url.replace('/platform?', '/postgres?') });
  await client.connect();
  await client.query('create database platform template template0');
  await client.end();
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts PostgreSQL on its data, with its socket in the folder; returns what stops it. */
async function serve(data: string, folder: string): Promise<() => Promise<void>> {
  const all = { listen_addresses: '', shared_buffers: '32MB', fsync: 'off', jit: 'off' };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command, ...args] = [...asOther, programs as string, '-D', data, '-k', folder, ...options];
  const server = spawn(command as string, args, { stdio: 'ignore' });
  process.once('exit', () => server.kill('SIGKILL'));
  await until(async () => {
    const client = new pg.Client({ host: folder, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    return client.connect().then(
      async () => {
        await client.end();
        return true;
      },
      () => false,
    );
  }, 'PostgreSQL');
  return async () => {
    const exit = once(server, 'exit');
    server.kill('SIGINT');
    await exit;
  };
}
