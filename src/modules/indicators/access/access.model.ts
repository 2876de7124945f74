import type { ObjectId } from '../../../kernel/ids.ts';

export const STATUSES = ['pending_grant', 'active', 'pending_revoke', 'revoked', 'failed'] as const;

export type Status = (typeof STATUSES)[number];

/** Sources from weakest to strongest: an existing grant takes the stronger source. */
export const SOURCES = ['marketplace', 'automated', 'manual'] as const;

export type Source = (typeof SOURCES)[number];

/**
 * Who made what stands at the charting platform under a handle of a script, as far as is known. An entry is removed by
 * the platform only if one of its own calls made it (`made`, or `sent` while the answer is missing).
 */
export const ORIGINS = [
  /** Nobody has looked yet. */
  'unknown',
  /** Nothing was there, and no call has been made since. */
  'absent',
  /** Nothing was there, and a call to add it has been made whose answer is missing. */
  'sent',
  /** A call of the platform made it, or an administrator has taken it over. */
  'made',
  /** It was there before any call of the platform, and stays when the grant ends. */
  'found',
  /** A person gave the access because of the grant, and has to take it away. */
  'by_hand',
] as const;

export type Origin = (typeof ORIGINS)[number];

/** The script of an entry that a person gave by hand while the indicator has no `pineId`. */
export const NO_PINE_ID = '';

/** An entry that may exist at the charting platform because of a grant. */
export interface Entry {
  pineId: string;
  handle: string;
  /** Whether the charting platform, or the person who made it, has said that it exists. */
  isConfirmed: boolean;
  origin: Origin;
}

export type ErrorKind =
  | 'unavailable'
  | 'refused'
  | 'unknown-user'
  | 'unknown-script'
  | 'no-script'
  | 'no-platform'
  | 'by-hand'
  | 'account';

/** A member's grant of an indicator. */
export interface Access {
  id: ObjectId;
  indicatorId: ObjectId;
  userId: ObjectId;
  handle: string;
  isWanted: boolean;
  status: Status;
  failedAction: 'grant' | 'revoke' | null;
  source: Source;
  requestId: ObjectId | null;
  version: number;
  attempts: number;
  lastError: string | null;
  errorKind: ErrorKind | null;
  priority: number;
  dueAt: Date | null;
  leasedUntil: Date | null;
  graceEndsAt: Date | null;
  endedBy: 'order' | 'inactive' | null;
  notifiedStatus: 'active' | 'revoked' | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A grant with the data that its next step depends on. */
export interface Grant extends Access {
  /** The script of its indicator. */
  pineId: string | null;
  entries: Entry[];
}
