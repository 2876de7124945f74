import type { ObjectId } from '../../kernel/ids.ts';

export interface Video {
  id: ObjectId;
  subjectId: ObjectId;
  ownerId: ObjectId;
  sourceKey: string;
  sourceEtag: string;
  sourceBytes: number;
  status: 'processing' | 'complete' | 'failed';
  progress: number;
  attempt: number;
  spent: number;
  errorCode: string | null;
  errorMessage: string | null;
}

/** A completed video. */
export interface PlayableVideo {
  id: ObjectId;
  subjectId: ObjectId;
  attempt: number;
  durationMs: number;
  renditions: string[];
  poster: string;
}
