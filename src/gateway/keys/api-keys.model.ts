import type { ObjectId } from '../../kernel/ids.ts';
import type { Tier } from '../limits/tiers.model.ts';

export const MAX_KEY_NAME = 100;
/** Names are written on one line, in lists and logs: no control characters, and no separators of lines. */
export const KEY_NAME = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

export interface StoredKey {
  id: ObjectId;
  name: string;
  tier: Tier;
  environment: 'development' | 'production';
  createdAt: Date;
  revokedAt: Date | null;
  /** When a key that was rolled stops being valid. */
  expiresAt: Date | null;
  /** The key that it was rolled to. */
  replacedBy: ObjectId | null;
}

/** A key with its use on the present day (UTC). */
export interface UsedKey extends StoredKey {
  lastUsedAt: Date | null;
  requestsToday: number;
  rejectedToday: number;
}

/** Returns whether a key is neither revoked nor expired. */
export const isValidAt = (
  { revokedAt, expiresAt }: Pick<StoredKey, 'revokedAt' | 'expiresAt'>,
  atMs: number,
): boolean => revokedAt === null && (expiresAt === null || expiresAt.getTime() > atMs);
