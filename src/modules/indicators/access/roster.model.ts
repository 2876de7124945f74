import type { ObjectId } from '../../../kernel/ids.ts';
import type { Access, Source, Status } from './access.model.ts';

/** A grant in a list. */
export interface RosterRow
  extends Pick<
    Access,
    | 'id'
    | 'indicatorId'
    | 'userId'
    | 'handle'
    | 'status'
    | 'source'
    | 'lastError'
    | 'attempts'
    | 'graceEndsAt'
    | 'requestId'
    | 'failedAction'
    | 'errorKind'
    | 'createdAt'
    | 'updatedAt'
  > {
  indicatorName: string;
  /** Who made the entry at the charting platform; null if there is none or it is unknown. */
  entry: 'made' | 'found' | 'by-hand' | null;
}

/** Which grants of all indicators to list. */
export interface GrantFilter {
  userId?: ObjectId | undefined;
  status?: Status | undefined;
  source?: Source | undefined;
  /** Those that last changed before this time. */
  olderThan?: Date | undefined;
}

/** A transition of a grant in its history. */
export interface Move {
  fromStatus: Status | null;
  toStatus: Status;
  version: number;
  movedBy: string;
  why: string;
  createdAt: Date;
}
