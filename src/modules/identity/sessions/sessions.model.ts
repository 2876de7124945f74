import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';

/** Device name of sessions that were opened without one. */
export const UNNAMED_DEVICE = 'unnamed';

export const ACCESS_TOKEN_MS = 15 * MINUTE_MS;
export const REFRESH_TOKEN_MS = 30 * DAY_MS;

/** The means by which a session was opened. */
export const SIGN_IN_METHODS = ['password', 'passkey', 'sso'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export interface Session {
  id: ObjectId;
  userId: ObjectId;
  platform: ClientPlatform;
  device: string;
  deviceId: string | null;
  userAgent: string;
  address: string;
  method: SignInMethod;
  createdAt: Date;
}

/** An active session, without its owner. */
export interface ActiveSession extends Omit<Session, 'userId'> {
  lastUsedAt: Date;
  /** When the last step-up ends, or ended. */
  elevatedUntil: Date | null;
}

/** Selects sessions of a user: all, those of a platform or device, a single one, or all but one. */
export interface SessionTarget {
  platform?: ClientPlatform;
  device?: string;
  sessionId?: ObjectId;
  except?: ObjectId;
}

/** A session with the current data of its user. */
export interface KnownSession {
  sessionId: ObjectId;
  userId: ObjectId;
  email: string;
  permissions: string[];
  isActive: boolean;
  isEnded: boolean;
  hasFactor: boolean;
  isEmailVerified: boolean;
  elevatedUntil: Date | null;
}

/** A refresh token as it is stored. */
export interface RefreshToken {
  digest: Buffer;
  generation: number;
  at: Date;
  expiresAt: Date;
}

/** A presented refresh token. */
export interface PresentedToken {
  sessionId: ObjectId;
  userId: ObjectId;
  isActive: boolean;
  isEnded: boolean;
  generation: number;
  newestGeneration: number;
  expiresAt: Date;
  usedAt: Date | null;
}

/** Whether a session has stepped up and its elevation has not expired. */
export const isElevated = ({ elevatedUntil }: Pick<KnownSession, 'elevatedUntil'>, nowMs: number): boolean =>
  elevatedUntil !== null && elevatedUntil.getTime() > nowMs;
