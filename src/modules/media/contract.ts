import { type Static, Type } from 'typebox';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { type Failure, type FieldFault, failure, notFound, tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { DateTime, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { MINUTE_MS } from '../../kernel/time/time.ts';

/** Validity of the presigned upload link of a public file. */
export const UPLOAD_LINK_MS = 15 * MINUTE_MS;
export const MAX_IMAGE_MIB = 10;
/** Maximum size of a video in a story. */
export const MAX_CLIP_MIB = 200;

export const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'] as const;
/** Excludes SVG and HTML, which can contain scripts. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
/** The allowed types of public files, by purpose. */
export const PUBLIC_TYPES = { image: IMAGE_TYPES, story: [...IMAGE_TYPES, 'video/mp4'] } as const;

/** Returns the shape of the declaration of a file that a client is about to upload, of one of these types. */
const uploadOf = <const Name extends string>(types: readonly Name[], fileName: string) =>
  Type.Object({
    fileName: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'For display only; never part of an address',
      examples: [fileName],
    }),
    fileSize: Type.Integer({ minimum: 1, description: 'Bytes', examples: [2_003_200] }),
    contentType: oneOf(types, { examples: [types[0]] }),
  });
export const VideoUploadBody = uploadOf(VIDEO_TYPES, 'lesson-1.mp4');
export const ImageUploadBody = uploadOf(PUBLIC_TYPES.image, 'chart.jpg');
export const StoryUploadBody = uploadOf(PUBLIC_TYPES.story, 'story.jpg');

export interface UploadRequest {
  fileName: string;
  fileSize: number;
  contentType: string;
}

/** Where and how to upload; the storage rejects uploads that differ from the declaration. */
export const UploadTicket = Type.Object(
  {
    uploadUrl: Type.String({
      format: 'http-url',
      description: 'The address to send the file to by PUT, with the headers below',
    }),
    fileKey: Type.String({ examples: ['uploads/6740f1c2a9b3e4d5f6a7b8c9.mp4'] }),
    expiresIn: Type.Integer({ description: 'Seconds', examples: [3600] }),
    instructions: Type.Object({
      method: oneOf(['PUT']),
      headers: Type.Record(Type.String(), Type.String(), { examples: [{ 'Content-Type': 'video/mp4' }] }),
    }),
  },
  { $id: 'UploadTicket' },
);
export type UploadTicket = Static<typeof UploadTicket>;

/** An upload ticket for an image or other public file, with its public URL. */
export const PublicUploadTicket = Type.Object(
  { ...UploadTicket.properties, publicUrl: Type.String({ format: 'http-url' }) },
  { $id: 'PublicUploadTicket' },
);
export type PublicUploadTicket = Static<typeof PublicUploadTicket>;

const VIDEO_STATUSES = ['uploading', 'processing', 'complete', 'failed'] as const;

const Link = Type.String({ format: 'http-url' });

/** The state of a video. Links are null if the viewer may not watch it, and until a video is complete. */
export const VideoStatus = Type.Object({
  status: nullable(oneOf(VIDEO_STATUSES)),
  videoUrl: nullable(Link),
  thumbnailUrl: nullable(Link),
  duration: nullable(Type.Integer({ description: 'Seconds' })),
  formats: Type.Record(Type.String(), Link, {
    description: 'Playlists by rendition: 1080p, 720p, 480p, 360p',
  }),
  thumbnails: Type.Array(Link, {
    description: 'Smaller pictures from several moments of the video',
  }),
  spritesUrl: nullable(
    Type.String({
      format: 'http-url',
      description: 'WebVTT whose cues point to the pictures that a player shows above its timeline',
    }),
  ),
  expiresAt: nullable(DateTime),
  progress: nullable(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Present only during processing' }),
  ),
  error: Type.Unsafe<{ code: string; message: string } | null>({
    type: ['object', 'null'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  }),
});
export type VideoStatus = Static<typeof VideoStatus>;

/** A video that waits for a person: the newest of its subject, which failed, or one that is processed for too long. */
export interface TroubledVideo {
  id: ObjectId;
  subjectId: ObjectId;
  ownerId: ObjectId;
  status: 'processing' | 'failed';
  progress: number;
  /** How often a worker has begun. */
  attempts: number;
  error: { code: string; message: string } | null;
  /** Until when it can be processed again; null if that cannot help, or its file is gone. */
  retryableUntil: Date | null;
  createdAt: Date;
}

/** The links for playing a video; each contains a token and expires. */
export interface Playback {
  videoUrl: string;
  thumbnailUrl: string;
  thumbnails: string[];
  spritesUrl: string;
  duration: number;
  formats: Record<string, string>;
  expiresAt: Date;
}

/**
 * Reasons why a subject has no video to play: no upload was completed, the first video is being processed, or the
 * newest one could not be processed.
 */
export const VIDEO_GAPS = ['none', 'processing', 'failed'] as const;
export type VideoGap = (typeof VIDEO_GAPS)[number];

/** The addresses of a picture's smaller copies. */
export const PictureLinks = Type.Object(
  {
    small: Type.String({ description: 'At most 160 by 160 pixels, for avatars in lists' }),
    medium: Type.String({ description: 'At most 480 by 480 pixels, for cards' }),
    large: Type.String({ description: 'At most 1280 by 1280 pixels, for pages and banners' }),
  },
  { $id: 'PictureLinks' },
);
export type PictureLinks = Static<typeof PictureLinks>;

/** The purpose of a public upload: `image` allows JPEG, PNG, WebP, GIF and AVIF; `story` also MP4. */
export type PublicPurpose = 'image' | 'story';

/**
 * Prevents the deletion of a subject until the transaction ends, or fails if it no longer exists. Media calls it before
 * it writes, so that {@link Media.erase} finds everything that was written.
 */
type KeepSubject = (tx: Transaction) => Promise<void>;
type Also = KeepSubject;

/** Which submitted URLs are accepted. */
export interface UrlRule {
  /** Whose files may be named. */
  ownerIds?: ObjectId[];
  /** The values of the record, which may stay. */
  alreadySaved?: unknown[];
}

/** A video of a subject, and the member who uploaded it. */
export type OwnedVideo = { subjectId: ObjectId; ownerId: ObjectId };

/**
 * Uploads, videos and playback for all other modules. A video belongs to a subject, such as a lesson; the subject's
 * module decides who may upload or watch it.
 */
export interface Media {
  /** Returns the faults of a declared file that its shape cannot express: that it is too large. */
  uploadFaults(purpose: PublicPurpose | 'video', upload: Partial<UploadRequest>): FieldFault[];
  /**
   * Signs the upload of a video for this subject.
   * @throws validationFailed (422), naming `contentType` or `fileSize`; uploadQuotaExceeded, storageNotConfigured; the failures of `keep`
   */
  requestVideoUpload(
    subjectId: ObjectId,
    ownerId: ObjectId,
    upload: UploadRequest,
    keep?: KeepSubject,
  ): Promise<UploadTicket>;
  /**
   * Checks that the declared file has arrived and queues its processing. Idempotent: `taken` runs once, in that transaction.
   * @throws uploadNotFound for a key of another subject, uploadMissing, uploadMismatch, uploadReplaced if a later upload
   * plays or is being processed; the failures of `keep`
   */
  completeVideoUpload(subjectId: ObjectId, fileKey: string, keep?: KeepSubject, taken?: Also): Promise<void>;
  /** Returns the state of the subject's newest video; as if there were none for those who may not watch (`undefined`). */
  videoStatus(subjectId: ObjectId, viewerId: ObjectId | undefined): Promise<VideoStatus>;
  /** Lists the videos that failed or are stuck, newest first; the worklist `videos` counts them. */
  troubledVideos(
    filter: { status?: TroubledVideo['status'] | undefined },
    request: PageRequest,
  ): Promise<Page<TroubledVideo>>;
  /**
   * Processes the uploaded file of the subject's failed video again.
   * @throws storageNotConfigured, videoNotFailed, videoNotRetryable; the failures of `keep`
   */
  retryVideo(subjectId: ObjectId, keep: KeepSubject): Promise<void>;
  /** Stops the processing of the subject's newest video. @throws videoNotProcessing */
  cancelVideo(subjectId: ObjectId, also?: Also): Promise<void>;
  /**
   * Removes the subject's videos: the one that plays, one that is being processed, and those that failed. Captions stay,
   * and an announced upload can still become a video. The files are removed within minutes.
   * @param first runs before that in the same transaction, for the subject's own record of its video: its deletion, too,
   *   locks the subject before the videos
   * @throws videoNotFound; the failures of `first`
   */
  removeVideo(subjectId: ObjectId, first: (tx: Transaction) => Promise<void>): Promise<void>;
  /**
   * Returns the playback links of each of these subjects for one viewer, or the reason why there is no video to play.
   */
  playback(subjectIds: ObjectId[], viewerId: ObjectId): Promise<Map<ObjectId, Playback | VideoGap>>;
  /**
   * Sets the captions of the subject's videos in a language; undefined text removes them. Returns whether that changes
   * anything. The transaction must keep the subject.
   */
  setCaption(
    tx: Transaction,
    subjectId: ObjectId,
    language: string,
    text: string | undefined,
  ): Promise<boolean>;
  /** Returns the languages in which each of these subjects has captions. */
  captionLanguages(subjectIds: ObjectId[], queries?: Queries): Promise<Map<ObjectId, string[]>>;
  /** Returns the captions of a subject in a language, as WebVTT; undefined if there are none. */
  captionText(subjectId: ObjectId, language: string): Promise<string | undefined>;
  /** Returns the size of the captions of a subject in all languages, in bytes. */
  captionBytes(tx: Transaction, subjectId: ObjectId): Promise<number>;
  /**
   * Deletes all data of these subjects, which the transaction must already have deleted; their files are removed after
   * the commit. Returns their videos, also the failed and the replaced ones, with who uploaded each and was told of it.
   */
  erase(tx: Transaction, subjectIds: ObjectId[]): Promise<OwnedVideo[]>;
  /**
   * Signs the upload of a public file, valid for 15 minutes. The client saves the `publicUrl` in a record: a module
   * that accepts one calls `checkPublicUrls` first, and its table has the trigger `kernel.track_public_files`. It is
   * served if it can be read as its type, without a camera's metadata, and removed after a day unless a record shows it.
   * @throws validationFailed (422), naming `contentType` or `fileSize`; uploadQuotaExceeded, storageNotConfigured
   */
  requestPublicUpload(
    purpose: PublicPurpose,
    ownerId: ObjectId,
    upload: UploadRequest,
  ): Promise<PublicUploadTicket>;
  /**
   * Checks the URLs that a client submits, by field, and keeps their files for ten minutes, within which the caller
   * saves them. URLs of other sites, and those that the record already has, are not checked. A URL of this platform
   * must be the `publicUrl` of an upload. An uploaded file must match its type; if it has not arrived or the storage is
   * unavailable, the type is checked when the file is served. If owners are given, no value may contain the path of
   * another account's file, which the record would keep: callers pass every field that the trigger examines, texts too.
   * @throws validationFailed (422), naming the field
   */
  checkPublicUrls(urls: Record<string, unknown>, rule?: UrlRule): Promise<void>;
  /**
   * Returns the addresses of a picture's sizes, by its `publicUrl`; null for other URLs. A size is made on its first
   * request, and until then the original picture is served.
   */
  sizesOf(url: string): PictureLinks | null;
  /** Returns whether a URL is that of a file uploaded to this platform. */
  isOwnUrl(url: string): boolean;
}

export const uploadNotFound = notFound('Upload');
export const uploadMissing = failure(409, 'UPLOAD_NOT_FOUND', 'The file has not been uploaded');
export const uploadMismatch = failure(
  409,
  'UPLOAD_MISMATCH',
  'The size or type of the file differs from the announced one',
);
export const uploadReplaced = failure(409, 'UPLOAD_REPLACED', 'A later upload has become the video');
/** A member has left too many bytes of uploads unused, or has uploaded too many bytes within a day. */
export const uploadQuotaExceeded = (retryAfterSeconds = 3600): Failure =>
  tooManyRequests('UPLOAD_QUOTA_EXCEEDED', retryAfterSeconds);
export const videoNotFound = notFound('Video');
export const videoNotProcessing = failure(409, 'VIDEO_NOT_PROCESSING', 'No video is being processed');
export const videoNotFailed = failure(409, 'VIDEO_NOT_FAILED', 'The newest video has not failed');
export const videoNotRetryable = failure(
  409,
  'VIDEO_NOT_RETRYABLE',
  'Another attempt cannot help, or the uploaded file has been removed',
);

const videoData = { videoId: ObjectIdShape, subjectId: ObjectIdShape, ownerId: ObjectIdShape };

/** A video is ready to watch; published in the transaction that makes it ready. */
export const videoCompleted = eventKind('media.video-completed', {
  version: 1,
  data: Type.Object({ ...videoData, duration: Type.Integer({ description: 'Seconds' }) }),
});

/** The processing of a video failed permanently. */
export const videoFailed = eventKind('media.video-failed', {
  version: 1,
  data: Type.Object({ ...videoData, code: Type.String(), message: Type.String() }),
});
