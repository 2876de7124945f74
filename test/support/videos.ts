import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Media, VideoStatus } from '../../src/modules/media/contract.ts';

/** Options that skip a test if ffmpeg is not installed. */
export const needsFfmpeg = { skip: process.env.TEST_FFMPEG ? false : 'ffmpeg is not installed' };

/** Creates a folder that is removed at the end of the test file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'platform-video-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder in which a test's platform transcodes. */
export function workFolder(): string {
  const folder = join(newFolder(), 'work');
  mkdirSync(folder);
  return folder;
}

/** Runs the system's ffmpeg to create files to upload. */
export function ffmpeg(args: string[], cwd?: string): void {
  const { status, stderr } = spawnSync(process.env.TEST_FFMPEG as string, ['-v', 'error', '-y', ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`);
}

/**
 * The real ffmpeg and ffprobe, except that ffmpeg first does something else for as long as it is hindered.
 * @param instead commands of the shell, repeated while it is hindered
 */
export function hinderedFfmpeg(instead: string): { path: string; hinder(): void; recover(): void } {
  const folder = newFolder();
  const flag = join(folder, 'hindered');
  const real = String(process.env.TEST_FFMPEG);
  const loop = `while [ -f ${flag} ] && [ "$1" != "-version" ]; do ${instead}; done`;
  writeFileSync(join(folder, 'ffmpeg'), `#!/bin/sh\n${loop}\nexec ${real} "$@"\n`);
  writeFileSync(join(folder, 'ffprobe'), `#!/bin/sh\nexec ${join(dirname(real), 'ffprobe')} "$@"\n`);
  // As root, the transcoder runs them as another user.
  for (const path of ['.', 'ffmpeg', 'ffprobe']) chmodSync(join(folder, path), 0o755);
  return {
    path: join(folder, 'ffmpeg'),
    hinder: () => writeFileSync(flag, ''),
    recover: () => rmSync(flag, { force: true }),
  };
}

interface Clip {
  size?: string;
  rate?: number;
  seconds?: number;
  sound?: boolean;
  /** Arguments of ffmpeg for the output. */
  options?: string[];
}

/**
 * For tests in which size and length do not matter: smaller than the lowest rendition, so that transcoding is quick.
 */
export const SMALL = { size: '320x180', rate: 10, seconds: 2 };

/** Creates a clip of moving test patterns and a tone. */
export function makeClip(
  file: string,
  { size = '640x360', rate = 30, seconds = 4, sound = true, options = [] }: Clip = {},
): string {
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=${rate}`,
    ...(sound ? ['-f', 'lavfi', '-i', 'sine=frequency=440'] : []),
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    ...options,
    file,
  ]);
  return file;
}

/** Uploads content as a client does, and completes the upload. */
export async function uploadVideo(
  media: Media,
  subjectId: string,
  content: Buffer | string,
  contentType = 'video/mp4',
): Promise<string> {
  const body = typeof content === 'string' ? readFileSync(content) : content;
  const ticket = await media.requestVideoUpload(subjectId, subjectId, {
    fileName: 'clip.mp4',
    fileSize: body.length,
    contentType,
  });
  const { method, headers } = ticket.instructions;
  const { status } = await fetch(ticket.uploadUrl, { method, headers, body: body as unknown as string });
  if (status !== 200) throw new Error(`the upload was answered ${status}`);
  await media.completeVideoUpload(subjectId, ticket.fileKey);
  return ticket.fileKey;
}

export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false>,
  timeoutMs = 600_000,
): Promise<Value> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
  }
  throw new Error(`${what} did not come within ${timeoutMs} ms`);
}

/** Waits until the video of a subject is complete or has failed. */
export const ended = (media: Media, subjectId: string, viewerId = subjectId): Promise<VideoStatus> =>
  until('the end of the processing', async () => {
    const status = await media.videoStatus(subjectId, viewerId);
    return status.status === 'complete' || status.status === 'failed' ? status : undefined;
  });

/** Uploads a file as the video of a subject and waits until this viewer can play it. */
export async function processed(
  media: Media,
  file: string,
  { subjectId, viewerId }: { subjectId: string; viewerId: string },
): Promise<VideoStatus & { videoUrl: string }> {
  await uploadVideo(media, subjectId, file);
  const status = await ended(media, subjectId, viewerId);
  if (status.status !== 'complete') throw new Error(JSON.stringify(status));
  return { ...status, videoUrl: String(status.videoUrl) };
}
