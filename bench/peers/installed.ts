import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Where the peers are installed, if they are; it goes with `node_modules`. */
const PEERS = resolve(import.meta.dirname, '../../node_modules/.cache/peers');
const WANTED = join(import.meta.dirname, 'package.json');
const INSTALLED = join(PEERS, 'package.json');

/** Installs the peers that come from npm, 210 MB, unless these versions are there. */
export function installPeers(): void {
  const isThere =
    existsSync(join(PEERS, 'node_modules')) &&
    readFileSync(INSTALLED, 'utf8') === readFileSync(WANTED, 'utf8');
  if (isThere) return;
  mkdirSync(PEERS, { recursive: true });
  copyFileSync(WANTED, INSTALLED);
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...options], { cwd: PEERS, stdio: 'inherit' });
  } catch (error) {
    // What was installed in part is not taken for whole the next time.
    rmSync(INSTALLED);
    throw error;
  }
}

/** Loads a peer; `T` is the part of its interface that is used here. */
export async function loadPeer<T>(name: string): Promise<T> {
  const path = createRequire(INSTALLED).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}

/** The version of a peer from npm. */
export const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8')).version;

/** Returns the path of a program of the system, undefined if it is not installed. */
export function programOf(name: string): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}

/** Starts a program that serves this address; returns the end of what it wrote, if it ended instead. */
export async function startServer(
  program: string,
  args: string[],
  url: string,
): Promise<{ pid: number; stop(): Promise<void> } | string> {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill('SIGKILL'));
  let written = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      written = `${written}${chunk}`.slice(-500);
    });
  while (server.exitCode === null && server.signalCode === null) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers)
      return {
        pid: server.pid as number,
        stop: async () => {
          server.kill();
          await ended;
        },
      };
    await sleep(50);
  }
  return `does not start: ${written.trim()}`;
}
