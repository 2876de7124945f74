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

/** Where a sign-in is kept. */
export interface Keeper {
  readonly storage: Storage;
  /** Keeps what a sign-in, or a refresh, has brought; undefined forgets it. */
  write(kept: SignedIn | undefined): Promise<void>;
  read(): Promise<SignedIn | undefined>;
  /** Tells what belongs to the former sign-in that it is over. */
  announce(reason: 'replaced'): void;
}
