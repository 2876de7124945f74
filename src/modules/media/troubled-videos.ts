import { storageNotConfigured } from '../../external/storage/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/messaging/jobs.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { type Media, videoNotFailed, videoNotRetryable } from './contract.ts';
import { isWorthRetrying, processVideo } from './names.ts';
import type { CleanupStore } from './uploads.store.ts';
import type { VideoStore } from './videos.store.ts';

interface TroubledDeps {
  database: Database;
  jobs: Jobs;
  clock: Clock;
  newId: NewId;
  /** Whether a storage is configured. */
  hasStorage: boolean;
  videos: VideoStore;
  cleanups: CleanupStore;
}

/** How long the processing of a video may take before somebody looks at it. */
const STUCK_MS = HOUR_MS;

/** A source that is removed this soon may already be in the hands of the sweep, whose clock may be ahead. */
const REMOVED_SOON_MS = 5 * MINUTE_MS;

/** The videos that wait for a person: those that failed, and those that have been processed for too long. */
export function troubledVideos(deps: TroubledDeps) {
  const { database, jobs, clock, newId, hasStorage, videos, cleanups } = deps;
  const stuckSince = (): Date => new Date(clock.now() - STUCK_MS);
  const retryableAfter = (): Date => new Date(clock.now() + REMOVED_SOON_MS);

  const pageOf: Media['troubledVideos'] = async (filter, request) => {
    const page = await videos.troubled({ ...filter, stuckSince: stuckSince() }, request);
    return {
      ...page,
      items: page.items.map(({ errorCode, errorMessage, sourceUntil, ...video }) => ({
        ...video,
        error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
        retryableUntil:
          errorCode !== null && isWorthRetrying(errorCode) && sourceUntil && sourceUntil > retryableAfter()
            ? sourceUntil
            : null,
      })),
    };
  };

  const retry: Media['retryVideo'] = (subjectId, keep) =>
    database.transaction(async (tx) => {
      if (!hasStorage) throw storageNotConfigured();
      await keep(tx);
      await tx.lock('media.subject', subjectId);
      const failed = await videos.newest(tx, subjectId);
      if (failed?.status !== 'failed') throw videoNotFailed();
      if (!isWorthRetrying(failed.errorCode ?? '')) throw videoNotRetryable();
      if (!(await cleanups.withdraw(tx, failed.sourceKey, retryableAfter()))) throw videoNotRetryable();
      // A video of its own, as after another upload: what is left of the failed one may be removed at this moment.
      const id = newId();
      await videos.insert(tx, { ...failed, id, createdAt: clock.date() });
      await jobs.enqueue(tx, processVideo, [{ videoId: id }]);
    });

  return { pageOf, retry, backlog: () => videos.backlog(stuckSince()) };
}
