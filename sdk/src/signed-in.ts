import type { Storage } from './storage.ts';

/** The tokens of a sign-in. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** The stored state of a sign-in. */
export interface SignedIn extends Tokens {
  /** The id of the sign-in; it stays the same when the tokens are renewed. */
  id: string;
  /** When the tokens were received, by the clock of the device. */
  receivedAt: number;
  platform?: string | undefined;
  device?: string | undefined;
}

/** Why a member is no longer signed in; `replaced`: another tab has signed in anew. */
export type SignedOutReason = 'signed-out' | 'session-ended' | 'replaced';

/** The store of the sign-in. */
export interface Keeper {
  readonly storage: Storage;
  /** Stores the result of a sign-in or refresh; undefined removes it. */
  write(kept: SignedIn | undefined): Promise<void>;
  /** Returns the stored sign-in; undefined if nobody is signed in. */
  read(): Promise<SignedIn | undefined>;
  /** Deletes the tokens: all, or only those with this access token, if it is still the current one. */
  end(refused?: string, reason?: SignedOutReason): Promise<void>;
  /**
   * Registers work for the end of the current sign-in: it is called when the member signs out or another sign-in
   * follows.
   */
  readonly listeners: Set<(reason: SignedOutReason) => void>;
}
