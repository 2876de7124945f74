import type { ObjectId } from '../../kernel/ids.ts';

/** The progress of a bulk notification. */
export interface Bulk {
  jobId: ObjectId;
  status: 'running' | 'finished';
  requested: number;
  done: number;
  /** Number of processed ids that belong to no member. */
  unknown: number;
  createdAt: Date;
  finishedAt: Date | null;
}
