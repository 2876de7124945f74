import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import type { CaptionStore } from './captions.store.ts';
import { type Media, videoNotFound } from './contract.ts';
import { folderOf } from './names.ts';
import type { CleanupStore, UploadStore } from './uploads.store.ts';
import type { Video } from './videos.model.ts';
import type { VideoStore } from './videos.store.ts';

interface RemovalDeps {
  database: Database;
  clock: Clock;
  videos: VideoStore;
  uploads: UploadStore;
  captions: CaptionStore;
  cleanups: CleanupStore;
}

/** Worker processes that lost their video may still write for a moment. */
export const AFTER_WORKERS_MS = 10 * MINUTE_MS;

/** The removal of videos: with all that belongs to their subject, or alone. */
export function videoRemoval({ database, clock, videos, uploads, captions, cleanups }: RemovalDeps) {
  const removeFiles = (
    tx: Transaction,
    erased: Pick<Video, 'id' | 'sourceKey'>[],
    uploadKeys: string[] = [],
  ): Promise<void> => {
    const prefixes = erased.flatMap(({ id, sourceKey }) => [folderOf(id), sourceKey]);
    return cleanups.schedule(tx, [...prefixes, ...uploadKeys], new Date(clock.now() + AFTER_WORKERS_MS));
  };

  const erase: Media['erase'] = async (tx, subjectIds) => {
    // Uploads are erased first: this waits for uploads that are being completed, whose videos would otherwise remain.
    const keys = await uploads.erase(tx, subjectIds);
    const erased = await videos.erase(tx, subjectIds);
    await captions.erase(tx, subjectIds);
    await removeFiles(
      tx,
      erased,
      keys.map(({ key }) => key),
    );
    return erased;
  };

  const removeVideo: Media['removeVideo'] = (subjectId, first) =>
    database.transaction(async (tx) => {
      await first(tx);
      await tx.lock('media.subject', subjectId);
      const erased = await videos.erase(tx, [subjectId]);
      if (erased.length === 0) throw videoNotFound();
      // Completing them again would otherwise say that they are being processed.
      await uploads.eraseConsumed(tx, subjectId);
      await removeFiles(tx, erased);
    });

  return { erase, removeVideo };
}
