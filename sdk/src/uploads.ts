import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import {
  completeLessonUpload,
  getLessonVideo,
  requestLessonUpload,
} from './generated/operations/lesson-videos.ts';
import type { LessonVideo, UploadTicket } from './generated/wire.ts';
import { type Fetch, host, type Signal, sleep, throwIfAborted, type Xhr } from './host.ts';

/** A `File`, or a `Blob` with a name. */
export interface Uploadable {
  readonly size: number;
  readonly type: string;
  readonly name?: string;
}

export interface UploadOptions {
  /** Called with numbers from 0 to 1, first while the file is uploaded, then while it is processed. */
  onProgress?(progress: { phase: 'sending' | 'processing'; ratio: number }): void;
  /** How long to wait for the processing; a day by default. */
  timeoutMs?: number | undefined;
  signal?: Signal | undefined;
}

const POLL_MS = 3_000;
/** Processing takes minutes. After this time, which exceeds any queue of long videos, something is wrong. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * Uploads a video of a lesson and waits until it can be played. Throws a {@link PlatformError} with the code of the
 * platform if the file cannot be made into a video, and with `TIMEOUT` as {@link finishedVideo} does.
 */
export async function uploadVideo(
  caller: Caller,
  lessonId: string,
  file: Uploadable,
  { onProgress = () => undefined, timeoutMs, signal }: UploadOptions = {},
): Promise<LessonVideo> {
  const params = { lessonId };
  const options = { signal };
  const announced = {
    fileName: file.name ?? 'video',
    fileSize: file.size,
    // The platform states which types it accepts.
    contentType: file.type as 'video/mp4',
  };
  const ticket = await caller.call(requestLessonUpload, { params, body: announced }, options);
  await sendFile(caller, ticket, file, (ratio) => onProgress({ phase: 'sending', ratio }), signal);
  await caller.call(completeLessonUpload, { params, body: { fileKey: ticket.fileKey } }, options);
  return finishedVideo(caller, lessonId, { onProgress, timeoutMs, signal });
}

/**
 * Waits until the video of a lesson has been processed and can be played, also if another program has uploaded it.
 * Throws a {@link PlatformError} with the code of the platform if it cannot be made into a video, with `NO_VIDEO` if
 * nobody has sent one or is about to, and with `TIMEOUT` after `timeoutMs`; the processing goes on then.
 */
export async function finishedVideo(
  caller: Caller,
  lessonId: string,
  { onProgress = () => undefined, timeoutMs = LONGEST_MS, signal }: UploadOptions = {},
): Promise<LessonVideo> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const video = await caller.call(getLessonVideo, { params: { lessonId } }, { signal });
    if (video.status === 'complete') return video;
    if (video.status === 'failed')
      throw new PlatformError({
        message: video.error?.message ?? 'The video could not be processed',
        kind: 'refused',
        code: video.error?.code ?? 'PROCESSING_FAILED',
      });
    if (video.status === null)
      throw new PlatformError({ message: 'The lesson has no video', kind: 'client', code: 'NO_VIDEO' });
    onProgress({ phase: 'processing', ratio: (video.progress ?? 0) / 100 });
    // Holds also if `timeoutMs` is not a number.
    if (!(Date.now() + POLL_MS <= end))
      throw new PlatformError({
        message: 'The video has not been processed yet',
        kind: 'timeout',
        code: 'TIMEOUT',
      });
    await sleep(POLL_MS, signal);
  }
}

/** Uploads the file to the address of the ticket. The storage accepts it once, in one piece. */
async function sendFile(
  { options }: Pick<Caller, 'options'>,
  { uploadUrl, instructions }: Pick<UploadTicket, 'uploadUrl' | 'instructions'>,
  file: unknown,
  onRatio: (ratio: number) => void,
  signal?: Signal,
): Promise<void> {
  const { XMLHttpRequest } = host;
  const { method, headers } = instructions;
  const status = XMLHttpRequest
    ? await sendWithProgress(new XMLHttpRequest(), uploadUrl, { method, headers, file, onRatio, signal })
    : await sendWithFetch(options.fetch ?? (host.fetch as Fetch), uploadUrl, {
        method,
        headers,
        body: file,
        signal,
      });
  throwIfAborted(signal);
  if (status >= 300)
    throw new PlatformError({
      message: 'The storage did not accept the file',
      kind: 'unreadable',
      code: 'UNREADABLE_ANSWER',
      status,
    });
  onRatio(1);
}

interface Sending {
  method: string;
  headers: Record<string, string>;
  file: unknown;
  onRatio: (ratio: number) => void;
  signal: Signal | undefined;
}

/** Returns 0 when the call is aborted, as `sendWithProgress` does. */
async function sendWithFetch(
  fetch: Fetch,
  url: string,
  init: { signal: Signal | undefined; [field: string]: unknown },
): Promise<number> {
  try {
    return (await fetch(url, init)).status;
  } catch (cause) {
    if (init.signal?.aborted) return 0;
    throw new PlatformError({ message: 'No answer', kind: 'offline', code: 'OFFLINE', cause });
  }
}

/** `fetch` does not report the progress of an upload; `XMLHttpRequest` does. */
function sendWithProgress(
  request: Xhr,
  url: string,
  { method, headers, file, onRatio, signal }: Sending,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.abort();
      resolve(0);
    };
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }: { loaded: number; total: number }) =>
      onRatio(total ? loaded / total : 0);
    request.onload = () => resolve(request.status);
    request.onerror = () =>
      reject(new PlatformError({ message: 'No answer', kind: 'offline', code: 'OFFLINE' }));
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    else request.send(file);
  });
}
