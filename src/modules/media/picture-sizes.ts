import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { ObjectChanged, type ObjectStorage } from '../../external/storage/port.ts';
import {
  PICTURE_SIDES,
  type PictureSize,
  SourceRefused,
  type Transcoder,
} from '../../external/transcoder/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Jobs, job } from '../../kernel/messaging/jobs.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { editBytes } from './metadata/edits.ts';
import { makeSizes, STORAGE_DEADLINE_MS } from './names.ts';
import type { ServedFiles } from './served-files.ts';

export const SIZES = Object.keys(PICTURE_SIDES) as PictureSize[];
const RETRIES = 3;
/** In place of sizes, an empty object says that the picture cannot be read, or takes too long: it is not tried again. */
const REFUSED = 'refused';
/** Longer than ffmpeg's own limit, and the storage's. */
const TIMEOUT_SECONDS = 300;
const KEPT_IN_CACHES = 'public, max-age=31536000, immutable';

/**
 * Returns the key of a size. It begins with the key of the original picture, so that removing the picture by prefix
 * removes its sizes.
 */
export const keyOfSize = (key: string, etag: string, size: PictureSize | typeof REFUSED): string =>
  `${key}~${createHash('sha256').update(etag).digest('hex').slice(0, 16)}~${size}`;

interface Deps {
  storage: ObjectStorage;
  served: Pick<ServedFiles, 'admits' | 'editsOf'>;
  transcoder: Transcoder;
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  log: Logger;
}

/** Smaller copies of public pictures, made in the background on their first request. */
export function pictureSizes({ storage, served, transcoder, database, jobs, log }: Deps) {
  /** Pictures for which this process has enqueued a job, since sizes may be requested arbitrarily often. */
  const ordered = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS });

  /** Whether the sizes of a picture are made, or cannot be. */
  async function isSettled(key: string, etag: string): Promise<boolean> {
    for (const end of ['large', REFUSED] as const)
      if (await storage.head(keyOfSize(key, etag, end), { deadlineMs: STORAGE_DEADLINE_MS })) return true;
    return false;
  }

  async function make(key: string, signal: AbortSignal): Promise<void> {
    const facts = await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS });
    if (!facts) return;
    const { etag } = facts;
    if ((await isSettled(key, etag)) || !(await served.admits(facts))) return;
    if (!(await transcoder.hasRoomFor(facts.bytes))) return;
    const folder = await transcoder.openFolder();
    try {
      const source = join(folder.path, 'source');
      await storage.download(key, source, { etag, signal });
      // No version of ffmpeg can pass on what it is not given.
      const picture = await readFile(source);
      editBytes(picture, await served.editsOf(facts));
      await writeFile(source, picture);
      const extension = key.slice(key.lastIndexOf('.') + 1);
      const files = await transcoder.shrink({
        source,
        extension,
        folder: await folder.partFolder('sizes'),
        signal,
      });
      const options = { contentType: 'image/webp', cacheControl: KEPT_IN_CACHES, signal };
      for (const size of SIZES)
        await storage.write(keyOfSize(key, etag, size), await readFile(files[size]), options);
    } catch (error) {
      if (!(error instanceof SourceRefused)) throw error;
      await storage.write(keyOfSize(key, etag, REFUSED), Buffer.alloc(0), {
        contentType: 'image/webp',
        signal,
      });
    } finally {
      await folder.remove();
    }
    // The picture was removed concurrently, so its sizes must not remain.
    if (!(await storage.head(key, { deadlineMs: STORAGE_DEADLINE_MS })))
      await storage.remove(([...SIZES, REFUSED] as const).map((end) => keyOfSize(key, etag, end)));
  }

  return {
    job: job(makeSizes, {
      concurrency: 1,
      separately: true,
      lowPriority: true,
      retries: RETRIES,
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async ({ key }, { signal }) => {
        // Without ffmpeg, or if it cannot read the picture, the original is served.
        if (!transcoder.isAvailable()) return;
        try {
          await make(key, signal);
        } catch (error) {
          if (!(error instanceof ObjectChanged)) throw error;
        }
      },
    }),

    /** Enqueues the sizes of a picture, at most once an hour. */
    async order(key: string, etag: string): Promise<void> {
      const name = `${key} ${etag}`;
      if (ordered.has(name)) return;
      ordered.set(name, true);
      await database
        .transaction((tx) => jobs.enqueue(tx, makeSizes, [{ key }]))
        .catch((error: Error) => {
          ordered.delete(name);
          log.warn({ object: key, error: error.message }, 'the sizes of a picture could not be requested');
        });
    },
  };
}

export type PictureSizes = ReturnType<typeof pictureSizes>;
