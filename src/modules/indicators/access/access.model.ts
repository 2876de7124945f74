import type { ObjectId } from '../../../kernel/ids.ts';

export const STATUSES = ['pending_grant', 'active', 'pending_revoke', 'revoked', 'failed'] as const;

export type Status = (typeof STATUSES)[number];

/** Sources from weakest to strongest: an existing grant takes the stronger source. */
export const SOURCES = ['marketplace', 'automated', 'manual'] as const;

export type Source = (typeof SOURCES)[number];

/**
 * The origin of an entry at the charting platform for a handle and a script, as far as it is known. The platform
 * removes an entry only if one of its own calls made it (`made`, or `sent` while the answer is missing).
 */
export const ORIGINS = [
  /** The entry has not been looked up yet. */
  'unknown',
  /** The entry did not exist, and no call has been made since. */
  'absent',
  /**
   * The entry did not exist, and a call to add it was made whose answer is missing; or it is that of a former handle, which
   * may have followed its member to this one.
   */
  'sent',
  /** A call of the platform made it, or an administrator has taken it over. */
  'made',
  /** The entry existed before any call of the platform, and stays when the grant ends. */
  'found',
  /** A person gave the access because of the grant, and must remove it. */
  'by_hand',
] as const;

export type Origin = (typeof ORIGINS)[number];

/** The script of an entry that a person gave by hand while the indicator has no `pineId`. */
export const NO_PINE_ID = '';

/** An entry that may exist at the charting platform because of a grant. */
export interface Entry {
  pineId: string;
  handle: string;
  /** Whether the charting platform, or the person who made the entry, has confirmed that it exists. */
  isConfirmed: boolean;
  origin: Origin;
}

export type ErrorKind =
  | 'unavailable'
  | 'refused'
  | 'unknown-user'
  /** The user whose entry has to be removed is no longer found: they have another name now, or are gone. */
  | 'lost-user'
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

/** A grant with the data on which its next step depends. */
export interface Grant extends Access {
  /** The script of its indicator. */
  pineId: string | null;
  entries: Entry[];
}
