import type { ObjectId } from '../../kernel/ids.ts';
import type { TroubledVideo } from './contract.ts';

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

/** A video that failed or is stuck, as it is stored. */
export interface TroubledRow extends Omit<TroubledVideo, 'error' | 'retryableUntil'> {
  errorCode: string | null;
  errorMessage: string | null;
  /** When the uploaded file is removed; null if it is kept or already gone. */
  sourceUntil: Date | null;
}
