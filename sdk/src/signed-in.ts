import type { Storage } from './storage.ts';

/** The tokens of a sign-in. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** What is kept of a sign-in. */
export interface SignedIn extends Tokens {
  /** Stays the same when the tokens are renewed. */
  id: string;
  /** When the tokens came, by our own clock. */
  receivedAt: number;
  platform?: string | undefined;
  device?: string | undefined;
}

/** Why a member is no longer signed in; `replaced`: another tab has signed in anew. */
export type SignedOutReason = 'signed-out' | 'session-ended' | 'replaced';

/** Where a sign-in is kept. */
export interface Keeper {
  readonly storage: Storage;
  /** Stores the result of a sign-in or refresh; undefined removes it. */
  write(kept: SignedIn | undefined): Promise<void>;
  /** What is kept; undefined unless somebody is signed in. */
  read(): Promise<SignedIn | undefined>;
  /** Forgets the tokens: all, or, unless they have been replaced meanwhile, those with this access token. */
  end(refused?: string, reason?: SignedOutReason): Promise<void>;
  /** What belongs to the present sign-in: called when it ends, or is followed by another. */
  readonly listeners: Set<(reason: SignedOutReason) => void>;
}
