import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Transcoder } from '../../external/transcoder/port.ts';
import type { Core } from '../../kernel/core.ts';
import { unguessableIdMaker } from '../../kernel/ids.ts';
import { publicFileRegistry } from '../../kernel/records/public-files.ts';
import type { Secrets } from '../../kernel/secrets.ts';
import type { Module } from '../module.ts';
import { captionStore } from './captions.store.ts';
import type { Media } from './contract.ts';
import { videoEndings } from './endings.ts';
import { LINK_FAILURES } from './failures.ts';
import { playbackMetrics, storageMetrics } from './media.metrics.ts';
import { mediaPublicEvents } from './media.public-events.ts';
import { mediaRecords } from './member-records.store.ts';
import { makeSizes, processVideo, sweepStorage, sweepUploads } from './names.ts';
import { pictureSizes } from './picture-sizes.ts';
import { playbackRoute } from './playback.ts';
import { processingJob } from './processing.ts';
import { publicFiles } from './public-files.ts';
import { publicUploads } from './public-uploads.ts';
import { recentObjects } from './recent-objects.ts';
import { servedFiles } from './served-files.ts';
import type { MediaSettings } from './settings.ts';
import { storageWatch } from './storage-watch.ts';
import { sweepJobs } from './sweeping.ts';
import { playbackTokens } from './tokens.ts';
import { troubledVideos } from './troubled-videos.ts';
import { cleanupStore, uploadStore } from './uploads.store.ts';
import { uploadRules } from './uploads.ts';
import { videoRemoval } from './video-removal.ts';
import { videoStore } from './videos.store.ts';
import { mediaService } from './videos.ts';

interface MediaDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'bus' | 'clock' | 'newId' | 'log'> {
  publicUrl: () => string;
  /** Undefined when none is configured: uploads and playback are then rejected. */
  storage: ObjectStorage | undefined;
  transcoder: Transcoder;
  secrets: Secrets;
  /** Whether this process runs jobs, and therefore needs the transcoding programs. */
  works: boolean;
  settings: MediaSettings;
}

const MEBIBYTE = 1024 ** 2;
/** Quota of open uploads, in videos of the maximum size: announced but not completed. */
const OPEN_VIDEOS = 20;

/** The channel on which processes announce removed objects, by their prefix. */
const REMOVED_CHANNEL = 'media:removed';

/** Uploads, videos and playback for all other modules. Owns the database schema `media`. */
export function mediaModule(deps: MediaDeps): Module<Media> {
  const { database, clock, log, storage, transcoder, settings, bus } = deps;
  const stores = {
    videos: videoStore(database),
    uploads: uploadStore(database),
    captions: captionStore(database),
    cleanups: cleanupStore(database),
  };
  const registry = publicFileRegistry(database);
  const uploads = publicUploads({ database, clock, registry, cleanups: stores.cleanups });
  const tokens = playbackTokens({ secrets: deps.secrets, clock });
  const { maxBytes: videoMaxBytes, concurrency, delivery } = settings;
  const cacheBytes = settings.cacheMebibytes * MEBIBYTE;
  const rules = storage && uploadRules({ storage, newId: unguessableIdMaker(clock), videoMaxBytes });
  const served =
    storage &&
    servedFiles(storage, (file, reason) => log.info({ file, reason }, 'a public file is not served'));
  const sizes = storage && served && pictureSizes({ ...deps, storage, served });
  const files =
    storage &&
    served &&
    sizes &&
    publicFiles({
      storage,
      served,
      sizes,
      uploads,
      publicUrl: deps.publicUrl,
      filesUrl: settings.publicFilesUrl,
    });
  const recent =
    storage && cacheBytes > 0 ? recentObjects({ storage, clock, maxBytes: cacheBytes }) : undefined;
  const onRemoved = (prefix: string) => bus.publish(REMOVED_CHANNEL, prefix);
  const endings = videoEndings({ ...deps, ...stores });
  const troubled = troubledVideos({ ...deps, ...stores, hasStorage: storage !== undefined });
  const removal = videoRemoval({ ...deps, ...stores });
  const watch = storage && storageWatch({ storage, log });
  const lacksPrograms = (): boolean => deps.works && !transcoder.isAvailable();

  return {
    name: 'media',
    memberRecords: mediaRecords,
    publicEvents: mediaPublicEvents,
    service: mediaService({
      ...deps,
      ...stores,
      tokens,
      rules,
      files,
      publicUploads: uploads,
      troubled,
      removal,
      maxOpenBytes: OPEN_VIDEOS * videoMaxBytes,
    }),
    jobs:
      storage && sizes
        ? [
            processingJob({ storage, transcoder, endings, log, concurrency, ...stores }),
            sizes.job,
            ...sweepJobs({ ...deps, ...stores, storage, publicUploads: uploads, onRemoved }),
          ]
        : [],
    absentJobs: storage ? [] : [processVideo, makeSizes, sweepUploads, sweepStorage],
    worklists: [{ name: 'videos', read: troubled.backlog }],
    rawRoutes:
      storage && files
        ? [
            playbackRoute({ storage, recent, tokens, clock, delivery, captions: stores.captions }),
            files.route,
          ]
        : [],
    rawFailures: LINK_FAILURES,
    metrics: [...(recent ? playbackMetrics(recent) : []), ...(watch ? storageMetrics(watch) : [])],
    degraded: () => [...(watch?.isUp() ? [] : ['storage']), ...(lacksPrograms() ? ['transcoder'] : [])],
    start: async () => {
      if (storage && lacksPrograms()) log.warn(transcoder.advice);
      if (recent) await bus.subscribe(REMOVED_CHANNEL, recent.forget);
      await watch?.start();
    },
    stop: async () => {
      watch?.stop();
      storage?.close();
    },
  };
}
