import type { ObjectId } from '../../../kernel/ids.ts';

/** The newest code and link that were mailed to a member. */
export interface Verification {
  userId: ObjectId;
  email: string;
  /** Null after too many wrong attempts. */
  codeDigest: Buffer | null;
  wrongTries: number;
  tokenDigest: Buffer;
  expiresAt: Date;
  /** The times at which mails were requested within the last hour, oldest first. */
  requestedAt: Date[];
  /** Whether whoever followed the link ended the access of whoever signed up. */
  hasEndedAccess: boolean;
}

/** What becomes of the access to an account whose address is verified by a link. */
export const LINK_ACCESS = ['keep', 'end'] as const;
export type LinkAccess = (typeof LINK_ACCESS)[number];
