import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
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
