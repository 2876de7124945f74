import type { ObjectId } from '../../../kernel/ids.ts';

/** The newest code and link that a member was mailed. */
export interface Verification {
  userId: ObjectId;
  email: string;
  /** Null once it was tried too often. */
  codeDigest: Buffer | null;
  wrongTries: number;
  tokenDigest: Buffer;
  expiresAt: Date;
  /** The times at which mails were requested within the last hour, oldest first. */
  requestedAt: Date[];
}
