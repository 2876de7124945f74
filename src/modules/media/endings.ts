import { REFUSALS } from '../../external/transcoder/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../kernel/time/time.ts';
import { videoCompleted, videoFailed } from './contract.ts';
import { folderOf, isWorthRetrying, secondsOf } from './names.ts';
import type { CleanupStore } from './uploads.store.ts';
import type { PlayableVideo, Video } from './videos.model.ts';
import type { VideoStore } from './videos.store.ts';

interface EndingDeps {
  database: Database;
  events: Events;
  clock: Clock;
  videos: VideoStore;
  cleanups: CleanupStore;
}

const MESSAGES: Record<string, string> = {
  ...REFUSALS,
  UPLOAD_CHANGED: 'The file was changed after its upload was completed',
  PROCESSING_TIMEOUT: 'The processing took too long',
  PROCESSING_FAILED: 'The video could not be processed',
};

/** How long replaced files are kept, for current viewers and for support. */
const KEPT_MS = DAY_MS;

/** How long the file of a video is kept that an operator may have processed again: over a weekend and a holiday. */
const KEPT_TO_RETRY_MS = 7 * DAY_MS;

/**
 * The ways in which the processing of a video ends; each in one transaction, by the worker that still holds the video.
 */
export function videoEndings({ database, events, clock, videos, cleanups }: EndingDeps) {
  const later = (ms: number): Date => new Date(clock.now() + ms);

  return {
    async fail(video: Video, code: string, message = MESSAGES[code] ?? 'The video could not be processed') {
      await database.transaction(async (tx) => {
        if (!(await videos.fail(tx, video.id, { code, message }, video.attempt))) return;
        await cleanups.schedule(tx, [folderOf(video.id)], later(HOUR_MS));
        await cleanups.schedule(
          tx,
          [video.sourceKey],
          later(isWorthRetrying(code) ? KEPT_TO_RETRY_MS : KEPT_MS),
        );
        const { id: videoId, subjectId, ownerId } = video;
        await events.publish(tx, videoFailed, { videoId, subjectId, ownerId, code, message });
      });
    },

    /**
     * Publishes the video in place of the subject's former one; returns false if this attempt no longer holds it.
     * @param made.attempts the attempts that stored parts of it
     */
    async complete(
      video: Video,
      result: Pick<PlayableVideo, 'durationMs' | 'renditions' | 'poster'> & { attempts: number[] },
    ): Promise<boolean> {
      return database
        .transaction(async (tx) => {
          const { id: videoId, subjectId, ownerId } = video;
          const duration = secondsOf(result.durationMs);
          // First, since the subject changes with it: its deletion, too, locks the subject before its videos.
          await events.publish(tx, videoCompleted, { videoId, subjectId, ownerId, duration });
          await tx.lock('media.subject', subjectId);
          await videos.hold(tx, subjectId);
          if (!(await videos.inProcessing(tx, subjectId))) throw new AttemptEnded();
          const replaced = await videos.replace(tx, subjectId, clock.date());
          if (!(await videos.complete(tx, video, result, clock.date()))) throw new AttemptEnded();
          await videos.forgetParts(tx, video.id);
          const unused = Array.from({ length: video.attempt }, (_, place) => place + 1).filter(
            (attempt) => !result.attempts.includes(attempt),
          );
          const prefixes = [
            ...replaced.map(({ id }) => folderOf(id)),
            ...unused.map((attempt) => `${folderOf(video.id)}${attempt}/`),
          ];
          await cleanups.schedule(tx, [...prefixes, video.sourceKey], later(KEPT_MS));
          return true;
        })
        .catch((error) => {
          if (error instanceof AttemptEnded) return false;
          throw error;
        });
    },

    /**
     * Handles a video that this worker no longer holds: if its processing has ended otherwise, schedules the removal of
     * its files.
     */
    async leave(video: Video): Promise<void> {
      if ((await videos.existing([video.id])).size > 0 && (await videos.isProcessing(video.id))) return;
      const playing = await videos.playable([video.subjectId]);
      if (playing.some(({ id }) => id === video.id)) return;
      await cleanups.schedule(database, [folderOf(video.id)], later(0));
    },
  };
}

export type Endings = ReturnType<typeof videoEndings>;

/** Rolls the transaction back, with the event. */
class AttemptEnded extends Error {}
