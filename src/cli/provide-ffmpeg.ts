import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, runsJobs } from '../app/config.ts';

/** Whether a program can be called by its name. */
export const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/**
 * Installs ffmpeg if it is missing, in development, as root on a Debian-like system, unless FFMPEG_INSTALL is off. If
 * that fails, everything but video processing works. Production never installs anything.
 */
export function provideFfmpeg({ environment, role, transcoder }: Config): void {
  const isWanted = environment === 'development' && runsJobs(role) && transcoder.installsFfmpeg;
  if (!isWanted || transcoder.ffmpegPath !== undefined || isOnPath('ffmpeg')) return;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) return;
  console.error('Installing ffmpeg, for videos; FFMPEG_INSTALL=off prevents it ...');
  const apt = (...args: string[]): boolean =>
    spawnSync('apt-get', [...args, '-qq', '-y', '-o', 'Dpkg::Use-Pty=0'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  apt('update');
  if (!apt('install', '--no-install-recommends', 'ffmpeg')) console.error('ffmpeg could not be installed.');
}
