import type { ObjectId } from '../../kernel/ids.ts';
import type { Tier } from '../limits/tiers.model.ts';

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
