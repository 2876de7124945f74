import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import {
  completeLessonUpload,
  getLessonVideo,
  requestLessonUpload,
} from './generated/operations/lesson-videos.ts';
import type { LessonVideo, UploadTicket } from './generated/wire.ts';
import { type Fetch, host, type Signal, sleep, throwIfAborted, type Xhr } from './host.ts';
import { mayPass } from './retrying.ts';

/** A `File`, or a `Blob` with a name. */
export interface Uploadable {
  readonly size: number;
  readonly type: string;
  readonly name?: string;
}

export interface UploadOptions {
  /** Called with numbers from 0 to 1, first while the file is uploaded, then while it is processed; 1 says that it plays. */
  onProgress?(progress: { phase: 'sending' | 'processing'; ratio: number }): void;
  /** How long to wait once the file has been sent; a day by default. */
  timeoutMs?: number | undefined;
  signal?: Signal | undefined;
}

const POLL_MS = 3_000;
/** Maximum pause while the platform cannot be reached. */
const MAX_PAUSE_MS = 30_000;
/** Processing takes minutes. After this time, which exceeds any queue of long videos, something is wrong. */
const LONGEST_MS = 24 * 3_600_000;

/** Calls that are repeated until a time. */
interface Patience {
  end: number;
  signal: Signal | undefined;
}

/**
 * Uploads a video of a lesson and waits until it can be played. Throws a {@link PlatformError} with the code of the
 * platform if the file cannot be made into a video, and with `TIMEOUT` as {@link finishedVideo} does, which also says what
 * a restart of the platform means for it. It throws `OFFLINE` if the platform cannot be reached at the beginning, or the
 * sending of the file is cut: then it has to be sent again.
 */
export async function uploadVideo(
  caller: Caller,
  lessonId: string,
  file: Uploadable,
  { onProgress = () => undefined, timeoutMs = LONGEST_MS, signal }: UploadOptions = {},
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
  const patience = { end: Date.now() + timeoutMs, signal };
  const complete = () =>
    caller.call(completeLessonUpload, { params, body: { fileKey: ticket.fileKey } }, options);
  await patiently(complete, patience);
  const read = () => caller.call(getLessonVideo, { params }, options);
  return untilComplete(await patiently(read, patience), read, onProgress, patience);
}

/**
 * Waits until the video of a lesson has been processed and can be played, also if another program has uploaded it.
 * Throws a {@link PlatformError} with the code of the platform if it cannot be made into a video, with `NO_VIDEO` if
 * nobody has sent one or is about to, and with `TIMEOUT` after `timeoutMs`; the processing goes on then. If the first
 * request fails, its failure is thrown, such as `OFFLINE`. After it, lost connections, 5xx and 429 are waited out, so that
 * a restart of the platform ends nothing; any other refusal is thrown at once.
 */
export async function finishedVideo(
  caller: Caller,
  lessonId: string,
  { onProgress = () => undefined, timeoutMs = LONGEST_MS, signal }: UploadOptions = {},
): Promise<LessonVideo> {
  const read = () => caller.call(getLessonVideo, { params: { lessonId } }, { signal });
  const patience = { end: Date.now() + timeoutMs, signal };
  return untilComplete(await read(), read, onProgress, patience);
}

/** Waits until a video that was just read is complete. */
async function untilComplete(
  first: LessonVideo,
  read: () => PromiseLike<LessonVideo>,
  onProgress: NonNullable<UploadOptions['onProgress']>,
  patience: Patience,
): Promise<LessonVideo> {
  for (let video = first; ; video = await patiently(read, patience)) {
    const { status, error, progress } = video;
    if (status === 'failed')
      throw new PlatformError({
        message: error?.message ?? 'The video could not be processed',
        kind: 'refused',
        code: error?.code ?? 'PROCESSING_FAILED',
      });
    if (status === null)
      throw new PlatformError({ message: 'The lesson has no video', kind: 'client', code: 'NO_VIDEO' });
    const isComplete = status === 'complete';
    onProgress({ phase: 'processing', ratio: isComplete ? 1 : (progress ?? 0) / 100 });
    if (isComplete) return video;
    // Holds also if `timeoutMs` is not a number.
    if (!(Date.now() + POLL_MS <= patience.end)) throw tooLate();
    await sleep(POLL_MS, patience.signal);
  }
}

/** Repeats a call, with growing pauses, while it fails for reasons that may pass. */
async function patiently<Data>(call: () => PromiseLike<Data>, { end, signal }: Patience): Promise<Data> {
  for (let failures = 0; ; failures++)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof PlatformError && mayPass(error))) throw error;
      const leftMs = end - Date.now();
      if (!(leftMs > 0)) throw tooLate(error);
      // Not all clients return at the same moment.
      const pauseMs = Math.min(MAX_PAUSE_MS, POLL_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      await sleep(Math.min(leftMs, Math.max(pauseMs, 1_000 * (error.retryAfter ?? 0))), signal);
    }
}

const tooLate = (cause?: unknown): PlatformError =>
  new PlatformError({
    message: 'The video has not been processed yet',
    kind: 'timeout',
    code: 'TIMEOUT',
    cause,
  });

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
