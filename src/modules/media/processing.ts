import { readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Logger } from 'pino';
import { ObjectChanged, type ObjectStorage, StorageFault } from '../../external/storage/port.ts';
import {
  type MadePart,
  type Plan,
  SourceRefused,
  type StoredPart,
  type TranscodeFault,
  type Transcoder,
} from '../../external/transcoder/port.ts';
import { chunks } from '../../kernel/database/chunks.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Job, type JobContext, job, Postponed } from '../../kernel/messaging/jobs.ts';
import { codeOf, isOutage } from '../../kernel/outages.ts';
import type { Endings } from './endings.ts';
import { folderOf, processVideo } from './names.ts';
import type { Video } from './videos.model.ts';
import type { VideoStore } from './videos.store.ts';

interface ProcessingDeps {
  storage: ObjectStorage;
  transcoder: Transcoder;
  videos: VideoStore;
  endings: Endings;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Maximum number of concurrent jobs in this process. */
  concurrency: number;
}

/** Failed attempts after which the video fails. */
const MAX_SPENT = 3;
/** Exceeds `MAX_SPENT`, because this job decides when a video fails, not the queue. */
const JOB_RETRIES = 30;
const BEAT_MS = 2_000;
const WITHOUT_PROGRAMS_SECONDS = 60;
const WITHOUT_ROOM_SECONDS = 60;
const OUTAGE_SECONDS = 10;
/** An attempt may download and encode for long before it notices an outage. */
const MAX_OUTAGE_SECONDS = 300;
const BUSY_SECONDS = 5;
const HEAD_BYTES = 64;
const UPLOADS_AT_ONCE = 4;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The video was cancelled, replaced or erased, or is held by another worker. */
class VideoLost extends Error {
  override readonly name = 'Lost';
}

/** Processes an upload: probes, transcodes and stores it, then publishes the video. */
export function processingJob(deps: ProcessingDeps): Job {
  const { transcoder, videos, endings, log, concurrency } = deps;

  async function run({ videoId }: { videoId: ObjectId }, { signal }: JobContext): Promise<void> {
    if (!transcoder.isAvailable())
      throw new Postponed('no ffmpeg', { afterSeconds: WITHOUT_PROGRAMS_SECONDS });
    const video = await videos.claim(videoId);
    if (!video) {
      if (await videos.isProcessing(videoId))
        throw new Postponed('another worker processes the video', { afterSeconds: BUSY_SECONDS });
      return;
    }
    if (video.spent > MAX_SPENT) return endings.fail(video, 'PROCESSING_FAILED');
    const life = keepAlive(video, videos);
    try {
      await work({ video, signal: AbortSignal.any([signal, life.lost]), onProgress: life.progress }, deps);
    } catch (error) {
      await settle(video, life.lost.aborted ? life.lost.reason : error, signal);
    } finally {
      life.end();
    }
  }

  /** Decides what follows a failed attempt. */
  async function settle(video: Video, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof VideoLost) return endings.leave(video);
    if (error instanceof SourceRefused) return endings.fail(video, error.code, error.message);
    if (error instanceof ObjectChanged) return endings.fail(video, 'UPLOAD_CHANGED');
    // ENOENT means a missing program or file, not an outage of the database.
    const isOutside = error instanceof StorageFault || (isOutage(error) && codeOf(error) !== 'ENOENT');
    const isFree = signal.aborted || isOutside || error instanceof Postponed;
    const about = { videoId: video.id, subjectId: video.subjectId, reason: (error as Error).message };
    if (!isFree && video.spent >= MAX_SPENT) {
      log.error({ ...about, attempts: video.spent }, 'a video could not be processed');
      return endings.fail(video, (error as Partial<TranscodeFault>).code ?? 'PROCESSING_FAILED');
    }
    await videos.release(video, { isFree });
    if (signal.aborted) throw signal.reason;
    const postponed = isOutside
      ? new Postponed(about.reason, {
          afterSeconds: Math.min(MAX_OUTAGE_SECONDS, OUTAGE_SECONDS * 2 ** (video.attempt - 1)),
        })
      : error;
    if (postponed instanceof Postponed)
      log.warn({ ...about, afterSeconds: postponed.afterSeconds }, 'video processing is postponed');
    throw postponed;
  }

  return job(processVideo, {
    run,
    isPossible: transcoder.isAvailable,
    concurrency,
    separately: true,
    retries: JOB_RETRIES,
    // The maximum of the queue; the programs have their own limits.
    timeoutSeconds: 24 * 3600,
  });
}

/** Sends heartbeats with the progress, and detects when the video is no longer held by this worker. */
function keepAlive(video: Video, videos: VideoStore) {
  const lost = new AbortController();
  let percent = 0;
  let beating = Promise.resolve();
  const beat = async (): Promise<void> => {
    // A failed query does not mean that the video is lost.
    const isOurs = await videos.beat(video, percent).catch(() => true);
    if (!isOurs) lost.abort(new VideoLost(`video ${video.id} is no longer attempt ${video.attempt}'s`));
  };
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, BEAT_MS);
  return {
    lost: lost.signal,
    /** @param share completed share of the work, from 0 to 1 */
    progress: (share: number): void => {
      percent = Math.max(percent, Math.min(99, Math.floor(share * 100)));
    },
    end: () => clearInterval(timer),
  };
}

interface Attempt {
  video: Video;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

async function work({ video, signal, onProgress }: Attempt, deps: ProcessingDeps): Promise<void> {
  const { storage, transcoder, videos, endings } = deps;
  await checkHead(video, deps, signal);
  if (!(await transcoder.hasRoomFor(video.sourceBytes)))
    throw new Postponed('not enough disk space', { afterSeconds: WITHOUT_ROOM_SECONDS });
  const folder = await transcoder.openFolder();
  try {
    const source = join(folder.path, 'source');
    await storage.download(video.sourceKey, source, { etag: video.sourceEtag, signal });
    const plan = transcoder.planFor(await transcoder.probe(source, signal));
    const stored = new Map((await videos.parts(video.id)).map((part) => [part.name, part]));
    const total = plan.parts.reduce((sum, { weight }) => sum + weight, 0);
    let done = 0;
    for (const part of plan.parts) {
      const share = part.weight / part.seconds;
      if (!stored.has(part.name)) {
        const partFolder = await folder.partFolder(part.name);
        const output = await transcoder.make(part, {
          ...{ source, plan, signal, folder: partFolder },
          onProgress: (seconds) => onProgress((done + seconds * share) / total),
        });
        const path = `${video.attempt}/${part.name}`;
        await storeFiles(partFolder, output, `${folderOf(video.id)}${path}/`, { storage, signal });
        if (!(await videos.insertPart(video, { ...output, path })))
          throw new VideoLost('the video has ended');
        stored.set(part.name, { ...output, path });
        await rm(partFolder, { recursive: true, force: true });
      }
      done += part.weight;
      onProgress(done / total);
    }
    const parts = plan.parts.map(({ name }) => stored.get(name) as StoredPart);
    const poster = await storeDocuments(video, { plan, parts, signal }, deps);
    const isOurs = await endings.complete(video, {
      durationMs: Math.round(plan.facts.durationSeconds * 1000),
      renditions: plan.rungs.map(({ name }) => name),
      poster,
      attempts: [video.attempt, ...parts.map(({ path }) => Number.parseInt(path, 10))],
    });
    if (!isOurs) throw new VideoLost('the video has ended');
  } finally {
    await folder.remove();
  }
}

/** Checks the first bytes before downloading gigabytes. */
async function checkHead(
  { sourceKey, sourceEtag }: Video,
  { storage, transcoder }: ProcessingDeps,
  signal: AbortSignal,
): Promise<void> {
  const found = await storage.read(sourceKey, { range: { first: 0, last: HEAD_BYTES - 1 }, signal });
  if (!found || found.etag !== sourceEtag)
    throw new ObjectChanged(`${sourceKey} has changed since the upload was completed`);
  const read: Buffer[] = [];
  for await (const chunk of found.body) read.push(chunk as Buffer);
  if (!transcoder.isVideo(Buffer.concat(read))) throw new SourceRefused('NOT_A_VIDEO');
}

const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};
const typeOf = (file: string): string => TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'video/mp4';

async function storeFiles(
  folder: string,
  { files }: MadePart,
  prefix: string,
  { storage, signal }: { storage: ObjectStorage; signal: AbortSignal },
): Promise<void> {
  for (const together of chunks(files, UPLOADS_AT_ONCE))
    await Promise.all(
      together.map(async (file) => {
        // Segments are small; a buffer can be sent again when the storage was busy.
        const body = await readFile(join(folder, file));
        await storage.write(`${prefix}${file}`, body, {
          contentType: typeOf(file),
          cacheControl: IMMUTABLE,
          signal,
        });
      }),
    );
}

/** Stores the playlists, the master last; returns the path of the poster. */
async function storeDocuments(
  { id, attempt }: Video,
  { plan, parts, signal }: { plan: Plan; parts: StoredPart[]; signal: AbortSignal },
  { storage, transcoder }: ProcessingDeps,
): Promise<string> {
  const { texts, poster } = transcoder.documents(plan, parts);
  const isMaster = (path: string) => Number(path === 'master.m3u8');
  const paths = Object.keys(texts).sort((a, b) => isMaster(a) - isMaster(b));
  for (const path of paths) {
    const options = { contentType: typeOf(path), cacheControl: IMMUTABLE, signal };
    await storage.write(`${folderOf(id)}${attempt}/${path}`, Buffer.from(texts[path] ?? ''), options);
  }
  return posix.join(String(attempt), poster);
}
