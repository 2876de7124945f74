import { type Static, Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** What a client announces before it uploads a file. */
export const UploadInBody = Type.Object({
  fileName: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Shown to people; never part of an address',
    examples: ['lesson-1.mp4'],
  }),
  fileSize: Type.Integer({ minimum: 1, description: 'Bytes', examples: [734_003_200] }),
  contentType: Type.String({ maxLength: 100, examples: ['video/mp4'] }),
});
export type UploadRequest = Static<typeof UploadInBody>;

/** Where and how to upload; the storage refuses anything that differs from what was announced. */
export const UploadTicket = Type.Object(
  {
    uploadUrl: Type.String({ description: 'Send the file here, by PUT, with the headers below' }),
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

/** The same for images and other public files, with the address under which everybody reads the file afterwards. */
export const PublicUploadTicket = Type.Object(
  { ...UploadTicket.properties, publicUrl: Type.String({ format: 'http-url' }) },
  { $id: 'PublicUploadTicket' },
);
export type PublicUploadTicket = Static<typeof PublicUploadTicket>;

const VIDEO_STATUSES = ['uploading', 'processing', 'complete', 'failed'] as const;

/** How far a video is (part 2, Video status values). Links are null where the viewer may not watch it. */
export const VideoStatus = Type.Object({
  status: nullable(oneOf(VIDEO_STATUSES)),
  videoUrl: nullable(Type.String()),
  thumbnailUrl: nullable(Type.String()),
  duration: nullable(Type.Integer({ description: 'Seconds' })),
  formats: Type.Record(Type.String(), Type.String(), {
    description: 'Playlists of one rendition each, by its name: 1080p, 720p, 480p, 360p',
  }),
  progress: nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'While it is processing' })),
  error: Type.Unsafe<{ code: string; message: string } | null>({
    type: ['object', 'null'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
  }),
});
export type VideoStatus = Static<typeof VideoStatus>;

/** What a viewer needs to play a video; the links carry a token of their own and expire. */
export interface Playback {
  videoUrl: string;
  thumbnailUrl: string;
  spritesUrl: string;
  duration: number;
  formats: Record<string, string>;
  expiresAt: Date;
}

/**
 * What a public upload is for: `image` takes JPEG, PNG, WebP, GIF and AVIF up to 10 MiB, `story` also MP4 up to 200 MiB.
 */
export type PublicPurpose = 'image' | 'story';

/**
 * Uploads, videos and playback for all other modules. A video belongs to a subject, such as a lesson; who may upload
 * or watch it is the subject's module's decision.
 */
export interface Media {
  /**
   * Signs the upload of a video of this subject.
   * @throws validationFailed (422), naming `contentType` or `fileSize`
   */
  requestVideoUpload(subjectId: ObjectId, ownerId: ObjectId, upload: UploadRequest): Promise<UploadTicket>;
  /**
   * Checks that the announced file has arrived and queues its processing; repeated for the same file it changes nothing.
   * @throws uploadNotFound for a key that is not of this subject, uploadMissing, uploadMismatch
   */
  completeVideoUpload(subjectId: ObjectId, fileKey: string): Promise<void>;
  /** Returns the state of the subject's newest video; `viewerId` undefined leaves the links out. */
  videoStatus(subjectId: ObjectId, viewerId: ObjectId | undefined): Promise<VideoStatus>;
  /** Stops the processing of the subject's newest video. @throws videoNotProcessing */
  cancelVideo(subjectId: ObjectId): Promise<void>;
  /** Returns the links to the videos of these subjects that are complete, for one viewer. */
  playback(subjectIds: ObjectId[], viewerId: ObjectId): Promise<Map<ObjectId, Playback>>;
  /** Sets the captions of the subject's videos in a language; undefined text removes them. */
  setCaption(
    tx: Transaction,
    subjectId: ObjectId,
    language: string,
    text: string | undefined,
  ): Promise<boolean>;
  /** Returns the languages in which each of these subjects has captions. */
  captionLanguages(subjectIds: ObjectId[]): Promise<Map<ObjectId, string[]>>;
  /** Forgets everything of these subjects; the files follow after the transaction has committed. */
  erase(tx: Transaction, subjectIds: ObjectId[]): Promise<void>;
  /**
   * Signs the upload of a file that everybody may see at its `publicUrl`, for 15 minutes. Nothing is written: the client
   * saves the `publicUrl`, and whoever takes it checks it by `checkPublicUrl`. What arrives is served only if its bytes
   * are what its type says.
   * @throws validationFailed (422), naming `contentType` or `fileSize`
   */
  requestPublicUpload(
    purpose: PublicPurpose,
    ownerId: ObjectId,
    upload: UploadRequest,
  ): Promise<PublicUploadTicket>;
  /**
   * Checks an address that a client wants to save: it must be the `publicUrl` of an upload for one of these purposes and
   * of this owner, where one is given. A file that has arrived must be what its type says; one that has not, and a
   * storage that does not answer, are left to the moment when the file is served.
   * @throws validationFailed (422), naming `field`
   */
  checkPublicUrl(
    url: string,
    rule: { field: string; purposes: PublicPurpose[]; ownerId?: ObjectId },
  ): Promise<void>;
  /** Whether an address is one of a file that was uploaded here. */
  isOwnUrl(url: string): boolean;
  /**
   * Removes the files of this owner at these addresses, after the transaction has committed: for pictures that were
   * replaced, stories that are over, and people who were deleted. Other addresses are left alone.
   */
  discardPublicFiles(tx: Transaction, ownerId: ObjectId, urls: string[]): Promise<void>;
}

export const uploadNotFound = notFound('Upload');
export const uploadMissing = failure(409, 'UPLOAD_NOT_FOUND', 'The file has not been uploaded');
export const uploadMismatch = failure(
  409,
  'UPLOAD_MISMATCH',
  'The file differs in size or type from what was announced',
);
export const videoNotProcessing = failure(409, 'VIDEO_NOT_PROCESSING', 'No video is being processed');

const videoData = { videoId: ObjectIdShape, subjectId: ObjectIdShape, ownerId: ObjectIdShape };

/** A video can be watched; published in the transaction that makes it so. */
export const videoCompleted = eventKind('media.video-completed', {
  version: 1,
  data: Type.Object({ ...videoData, duration: Type.Integer({ description: 'Seconds' }) }),
});

/** A video will never be complete. */
export const videoFailed = eventKind('media.video-failed', {
  version: 1,
  data: Type.Object({ ...videoData, code: Type.String(), message: Type.String() }),
});
