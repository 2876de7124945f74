/** What the connection is doing. */
export type LiveState =
  | { name: 'idle' }
  | { name: 'connecting' }
  | { name: 'live' }
  /** Lost; the next attempt comes after so many milliseconds. */
  | { name: 'waiting'; ms: number }
  /** Lost, with no attempts left: it goes on when the network or the page is back, or the program asks for something. */
  | { name: 'offline' }
  /** Closed for good, until the program asks for something again. */
  | { name: 'ended'; reason: string };

/** Why it ends when the member is signed out, or another one is signed in. */
export const SIGNED_OUT = 'signed out';

/** Closes after which only the program asks again. */
const ENDED = [4401, 4409, 4410, 4429];

export const endsFor = (code: number): boolean => ENDED.includes(code);
/** The token was not accepted; there may be another one. */
export const NOT_AUTHENTICATED = 4401;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Attempts in a row without success. After these it waits until there is a reason to expect one. */
export const MAX_ATTEMPTS = 5;

/** Returns how long to wait before an attempt, the first being number 0. */
export const pauseMsOf = (attempt: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
