import { type ObjectStorage, StorageFault, storageNotConfigured } from '../../external/storage/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import type { Jobs } from '../../kernel/messaging/jobs.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { CaptionStore } from './captions.store.ts';
import {
  type Media,
  type Playback,
  uploadMismatch,
  uploadMissing,
  uploadNotFound,
  uploadQuotaExceeded,
  uploadReplaced,
  type VideoGap,
  type VideoStatus,
  videoFailed,
  videoNotProcessing,
} from './contract.ts';
import { folderOf, processVideo, STORAGE_DEADLINE_MS, secondsOf } from './names.ts';
import { playbackLinks } from './playback-links.ts';
import type { PublicFiles } from './public-files.ts';
import type { PublicUploads } from './public-uploads.ts';
import type { PlaybackTokens } from './tokens.ts';
import type { troubledVideos } from './troubled-videos.ts';
import type { CleanupStore, UploadStore } from './uploads.store.ts';
import type { uploadRules } from './uploads.ts';
import { AFTER_WORKERS_MS, type videoRemoval } from './video-removal.ts';
import type { VideoStore } from './videos.store.ts';

interface VideoDeps {
  database: Database;
  events: Events;
  jobs: Jobs;
  clock: Clock;
  newId: NewId;
  publicUrl: () => string;
  /** Undefined when no storage is configured. */
  storage: ObjectStorage | undefined;
  rules: ReturnType<typeof uploadRules> | undefined;
  files: PublicFiles | undefined;
  publicUploads: PublicUploads;
  tokens: PlaybackTokens;
  videos: VideoStore;
  uploads: UploadStore;
  captions: CaptionStore;
  cleanups: CleanupStore;
  troubled: ReturnType<typeof troubledVideos>;
  removal: ReturnType<typeof videoRemoval>;
  /** Maximum number of bytes of uploads that a member may announce without completing them. */
  maxOpenBytes: number;
}

/** Age at which an uncompleted upload is deleted: its link ends after an hour, and a grace period of a day follows. */
const EXPIRED_AFTER_MS = DAY_MS + HOUR_MS;

const MAX_OPEN_UPLOADS = 500;

/** The state of a subject that has no video. */
const NO_VIDEO: VideoStatus = {
  status: null,
  videoUrl: null,
  thumbnailUrl: null,
  duration: null,
  formats: {},
  thumbnails: [],
  spritesUrl: null,
  expiresAt: null,
  progress: null,
  error: null,
};

const CANCELLED = { code: 'CANCELLED', message: 'The processing was cancelled' };
const REPLACED = { code: 'REPLACED', message: 'Another video was uploaded' };

export function mediaService(deps: VideoDeps): Media {
  const { database, events, jobs, clock, newId, storage, rules, files, publicUploads } = deps;
  const { videos, uploads, captions, cleanups } = deps;
  const linksTo = playbackLinks(deps);

  function present<Part>(part: Part | undefined): Part {
    if (part === undefined) throw storageNotConfigured();
    return part;
  }

  /** Stops the processing of the subject's video; returns whether there was one. */
  async function stopProcessing(
    tx: Transaction,
    subjectId: ObjectId,
    error: { code: string; message: string },
  ): Promise<boolean> {
    const video = await videos.inProcessing(tx, subjectId);
    if (!video || !(await videos.fail(tx, video.id, error))) return false;
    const at = new Date(clock.now() + AFTER_WORKERS_MS);
    await cleanups.schedule(tx, [folderOf(video.id), video.sourceKey], at);
    const { id: videoId, ownerId } = video;
    // A replacement is the owner's own action and needs no notification.
    if (error !== REPLACED) await events.publish(tx, videoFailed, { videoId, subjectId, ownerId, ...error });
    return true;
  }

  const secondsUntilExpired = ({ oldestAt }: { oldestAt: Date | null }): number =>
    Math.ceil(Math.max(MINUTE_MS, (oldestAt?.getTime() ?? 0) + EXPIRED_AFTER_MS - clock.now()) / SECOND_MS);

  return {
    uploadFaults: (purpose, upload) => rules?.faultsOf(purpose, upload) ?? [],
    async requestVideoUpload(subjectId, ownerId, upload, keep) {
      const { id, key, ticket, expiresInSeconds } = await available(present(rules).allowVideo(upload));
      const { fileName, fileSize: bytes, contentType } = upload;
      const createdAt = clock.date();
      const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * SECOND_MS);
      const announced = { id, subjectId, ownerId, key, fileName, contentType, bytes, expiresAt, createdAt };
      await database.transaction(async (tx) => {
        await keep?.(tx);
        await tx.lock('media.uploads', ownerId);
        const open = await uploads.openOf(tx, ownerId);
        if (open.count >= MAX_OPEN_UPLOADS || open.bytes + bytes > deps.maxOpenBytes)
          throw uploadQuotaExceeded(secondsUntilExpired(open));
        await uploads.insert(tx, announced);
      });
      return ticket;
    },

    async completeVideoUpload(subjectId, fileKey, keep, taken) {
      const upload = await uploads.find(fileKey, subjectId);
      if (!upload) throw uploadNotFound();
      if (upload.state === 'consumed') return;
      const facts = await available(present(storage).head(fileKey, { deadlineMs: STORAGE_DEADLINE_MS }));
      if (!facts || upload.state === 'expired') throw uploadMissing();
      if (facts.bytes !== upload.bytes || facts.contentType !== upload.contentType) throw uploadMismatch();
      await database.transaction(async (tx) => {
        await keep?.(tx);
        await tx.lock('media.subject', subjectId);
        if (!(await uploads.consume(tx, upload.id))) return;
        if (await uploads.isOvertaken(tx, upload)) throw uploadReplaced();
        await stopProcessing(tx, subjectId, REPLACED);
        const id = newId();
        const { ownerId } = upload;
        const source = { sourceKey: fileKey, sourceEtag: facts.etag, sourceBytes: facts.bytes };
        await videos.insert(tx, { id, subjectId, ownerId, ...source, createdAt: clock.date() });
        await jobs.enqueue(tx, processVideo, [{ videoId: id }]);
        await taken?.(tx);
      });
    },

    async videoStatus(subjectId, viewerId): Promise<VideoStatus> {
      if (viewerId === undefined) return NO_VIDEO;
      const { newest, playing } = await videos.current(subjectId);
      const links = playing ? linksTo(playing, viewerId) : NO_VIDEO;
      const isExpected =
        (!newest || newest.status === 'failed') && (await uploads.isExpected(subjectId, clock.date()));
      const status = isExpected ? 'uploading' : (newest?.status ?? null);
      return {
        status,
        videoUrl: links.videoUrl,
        thumbnailUrl: links.thumbnailUrl,
        duration: playing ? secondsOf(playing.durationMs) : null,
        formats: links.formats,
        thumbnails: links.thumbnails,
        spritesUrl: links.spritesUrl,
        expiresAt: links.expiresAt,
        progress: newest?.status === 'processing' ? newest.progress : null,
        error:
          status === 'failed' && newest?.errorCode
            ? { code: newest.errorCode, message: newest.errorMessage ?? '' }
            : null,
      };
    },

    troubledVideos: deps.troubled.pageOf,
    retryVideo: deps.troubled.retry,

    async cancelVideo(subjectId, also) {
      await database.transaction(async (tx) => {
        if (!(await stopProcessing(tx, subjectId, CANCELLED))) throw videoNotProcessing();
        await also?.(tx);
      });
    },

    async playback(subjectIds, viewerId) {
      const found = new Map<ObjectId, Playback | VideoGap>(subjectIds.map((id) => [id, 'none']));
      if (subjectIds.length === 0) return found;
      for (const video of await videos.playable(subjectIds))
        found.set(video.subjectId, linksTo(video, viewerId));
      const others = subjectIds.filter((id) => found.get(id) === 'none');
      const statuses = others.length > 0 ? await videos.newestStatuses(others) : [];
      // A video that has completed since the first query counts as processing.
      for (const { subjectId, status } of statuses)
        found.set(subjectId, status === 'failed' ? status : 'processing');
      return found;
    },

    async setCaption(tx, subjectId, language, text) {
      if (text === undefined) return captions.remove(tx, subjectId, language);
      return captions.put(tx, subjectId, { language, text });
    },
    captionLanguages: captions.languages,
    captionText: captions.text,
    captionBytes: captions.bytes,

    erase: deps.removal.erase,
    removeVideo: deps.removal.removeVideo,

    async requestPublicUpload(purpose, ownerId, upload) {
      const { key, ticket } = await available(present(rules).allowPublic(purpose, ownerId, upload));
      await publicUploads.announce(key, ownerId, upload.fileSize);
      return { ...ticket, publicUrl: present(files).urlOf(key) };
    },
    checkPublicUrls: async (urls, rule) => files?.check(urls, rule),
    sizesOf: (url) => files?.sizesOf(url) ?? null,
    isOwnUrl: (url) => files?.isOwnUrl(url) ?? false,
  };
}

/** Converts a fault of the storage into a failure that clients may retry. */
async function available<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof StorageFault ? serviceUnavailable(error) : error;
  }
}
