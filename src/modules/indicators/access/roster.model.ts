import type { Access, Status } from './access.model.ts';

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

/** A transition of a grant in its history. */
export interface Move {
  fromStatus: Status | null;
  toStatus: Status;
  version: number;
  movedBy: string;
  why: string;
  createdAt: Date;
}
