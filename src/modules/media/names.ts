import { Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import { jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';

/** Prefix of all objects of a video; the objects of an attempt are below its number. */
export const folderOf = (videoId: ObjectId): string => `videos/${videoId}/`;

export const VIDEOS = 'videos/';
export const UPLOADS = 'uploads/';
/** Followed by purpose, owner and a random name: `files/image/<owner>/<id>.png`. */
export const PUBLIC_FILES = 'files/';

export const sweepUploads = jobKind('media.sweep');
export const sweepStorage = jobKind('media.sweep-orphans');
export const makeSizes = jobKind('media.make-sizes', {
  version: 1,
  data: Type.Object({ key: Type.String() }),
});
export const processVideo = jobKind('media.process-video', {
  version: 1,
  data: Type.Object({ videoId: ObjectIdShape }),
});

/** Failures of the machine, after which another attempt may succeed; the others are the file's, or somebody's decision. */
const WORTH_RETRYING = ['PROCESSING_FAILED', 'PROCESSING_TIMEOUT'];
export const isWorthRetrying = (errorCode: string): boolean => WORTH_RETRYING.includes(errorCode);

export const secondsOf = (durationMs: number): number => Math.max(1, Math.round(durationMs / SECOND_MS));

/** How long a request waits for the storage before it is rejected with a retry time. */
export const STORAGE_DEADLINE_MS = 5_000;
