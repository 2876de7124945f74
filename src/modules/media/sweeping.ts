import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Transcoder } from '../../external/transcoder/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Job, type Jobs, job } from '../../kernel/messaging/jobs.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import { folderOf, processVideo, sweepStorage, sweepUploads, UPLOADS, VIDEOS } from './names.ts';
import type { PublicUploads } from './public-uploads.ts';
import type { CleanupStore, UploadStore } from './uploads.store.ts';
import type { VideoStore } from './videos.store.ts';

interface SweepDeps {
  database: Database;
  jobs: Jobs;
  clock: Clock;
  storage: ObjectStorage;
  transcoder: Transcoder;
  videos: VideoStore;
  uploads: UploadStore;
  cleanups: CleanupStore;
  publicUploads: PublicUploads;
  /** Called after the objects below a prefix were removed. */
  onRemoved: (prefix: string) => Promise<void>;
}

const CLEANUPS_AT_ONCE = 100;
/** After so many that cannot be removed the storage is away. */
const MAX_KEPT = 100;
/** An upload may still be in progress when its link expires. */
const UPLOAD_GRACE_MS = DAY_MS;
const UPLOADS_KEPT_MS = 30 * DAY_MS;
/** Younger objects may belong to work in progress. */
const ORPHAN_MS = DAY_MS;

/**
 * Removes obsolete data: abandoned uploads, unused public files, replaced videos, partial uploads, folders of killed
 * workers.
 */
export function sweepJobs(deps: SweepDeps): Job[] {
  const { database, jobs, clock, storage, transcoder, videos, uploads, cleanups, publicUploads, onRemoved } =
    deps;

  async function removeAll(prefix: string): Promise<void> {
    for await (const page of storage.list(prefix)) await storage.remove(page.map(({ key }) => key));
  }

  /**
   * What cannot be removed, such as a file that the storage holds for a lawyer, keeps nothing else.
   * @throws what prevented the removal of some, after all others have been removed
   */
  async function cleanUp(): Promise<void> {
    const kept: string[] = [];
    let fault: unknown;
    for (let isMore = true; isMore && kept.length < MAX_KEPT; ) {
      const now = clock.date();
      const prefixes = await cleanups.due(now, CLEANUPS_AT_ONCE, kept);
      for (const prefix of prefixes) {
        try {
          await removeAll(prefix);
          await onRemoved(prefix);
          await cleanups.done(prefix, now);
        } catch (error) {
          fault ??= error;
          kept.push(prefix);
        }
      }
      isMore = prefixes.length === CLEANUPS_AT_ONCE;
    }
    if (fault) throw fault;
  }

  async function sweep(): Promise<void> {
    const expired = await uploads.expire(new Date(clock.now() - UPLOAD_GRACE_MS));
    await cleanups.schedule(
      database,
      expired.map(({ key }) => key),
      clock.date(),
    );
    await publicUploads.sweep();
    await uploads.forget(new Date(clock.now() - UPLOADS_KEPT_MS));
    const silent = await videos.silent();
    await database.transaction((tx) =>
      jobs.enqueue(
        tx,
        processVideo,
        silent.map(({ id }) => ({ videoId: id })),
      ),
    );
    await transcoder.sweep();
    await cleanUp();
  }

  /** Removes objects without a row, left by a crash between storage and database. */
  async function sweepOrphans(): Promise<void> {
    const before = new Date(clock.now() - ORPHAN_MS);
    await storage.abortUnfinished(before);
    for await (const page of storage.list(VIDEOS)) {
      const old = page.filter(({ modifiedAt }) => modifiedAt < before);
      const idOf = ({ key }: { key: string }) => key.split('/')[1] ?? '';
      const existing = await videos.existing([...new Set(old.map(idOf))]);
      const orphans = old.map(idOf).filter((id) => !existing.has(id));
      await cleanups.schedule(database, orphans.map(folderOf), clock.date());
    }
    for await (const page of storage.list(UPLOADS)) {
      const old = page.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key);
      const existing = await uploads.knownKeys(old);
      const orphans = old.filter((key) => !existing.has(key));
      await cleanups.schedule(database, orphans, clock.date());
    }
    await cleanUp();
  }

  return [
    job(sweepUploads, {
      cron: '*/10 * * * *',
      concurrency: 1,
      retries: 0,
      timeoutSeconds: 3600,
      run: sweep,
    }),
    job(sweepStorage, {
      cron: '41 3 * * *',
      concurrency: 1,
      retries: 0,
      timeoutSeconds: 6 * 3600,
      run: sweepOrphans,
    }),
  ];
}
