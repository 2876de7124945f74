import type { ObjectId } from '../../../kernel/ids.ts';

export interface ResetState {
  email: string;
  /**
   * The owner of the e-mail at the time of the request, and the version of their password; null if the e-mail was
   * unknown.
   */
  userId: ObjectId | null;
  passwordVersion: number | null;
  requestedAt: Date;
  /** The UTC day that `requestsOnDay` counts. */
  day: string;
  requestsOnDay: number;
  codeDigest: Buffer | null;
  expiresAt: Date;
  wrongTries: number;
}
