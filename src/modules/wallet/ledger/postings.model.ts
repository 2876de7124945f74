import type { ObjectId } from '../../../kernel/ids.ts';

/** The name of an account: of a user, or of the platform itself. */
export type AccountName = `wallet:${ObjectId}` | `hold:${ObjectId}` | 'issued' | 'withdrawn';

/** The state of an account during a batch. */
export interface AccountState {
  id: ObjectId;
  balance: number;
  lastSeq: number;
  /** All Keys ever received; may exceed the safe integers. */
  received: bigint;
  /** Hash of its newest entry; empty before the first. */
  hash: Buffer;
  isActive: boolean;
  locked: boolean;
  updatedAt: Date;
}

/** A request to move Keys from one account to another. */
export interface Posting {
  from: AccountName;
  to: AccountName;
  amount: number;
  /** Ignores locks, for Keys that were paid for and Keys that are returned. */
  despiteLocks?: boolean;
  /** The most Keys that may have been issued then, with those that were paid out; by default as many as there can be. */
  circulationUpTo?: number;
}

/** One side of a granted movement. */
export interface Entry {
  accountId: ObjectId;
  seq: number;
  amount: number;
  balanceBefore: number;
  balanceAfter: number;
  received: bigint;
  hash: Buffer;
}

export interface Movement {
  from: Entry;
  to: Entry;
}
