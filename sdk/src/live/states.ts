/** The states of the connection. */
export type LiveState =
  | { name: 'idle' }
  | { name: 'connecting' }
  | { name: 'live' }
  /** Lost; the next attempt comes after so many milliseconds. */
  | { name: 'waiting'; ms: number }
  /**
   * Lost, with no attempts left. Five more begin when the network or the page is back, a call of the client succeeds, or
   * the program asks for something; outside of browsers also after about a minute, while there are listeners or rooms.
   */
  | { name: 'offline' }
  /** Closed for good, until the program asks for something again. */
  | { name: 'ended'; reason: string };

/** Why the channel ends when the member signs out or another one signs in. */
export const SIGNED_OUT = 'signed out';

/** Close codes after which the client does not reconnect by itself. */
const ENDED = [4401, 4409, 4410, 4429];

export const endsFor = (code: number): boolean => ENDED.includes(code);
/** The token was not accepted; the client may have a newer one. */
export const NOT_AUTHENTICATED = 4401;

const FIRST_PAUSE_MS = 1_000;
/** Number of failed attempts in a row after which the client waits for a sign that the network has returned. */
export const MAX_ATTEMPTS = 5;
/** Maximum time until the client tries again where no such sign can come: about a minute, at least half of this. */
const ROUND_PAUSE_MS = 90_000;

/**
 * Returns how long to wait before an attempt, the first being number 0, and after all of them before the next round. The
 * pauses stay below the limit of 30 seconds, because there are five.
 */
export const pauseMsOf = (attempt: number): number =>
  (attempt < MAX_ATTEMPTS ? FIRST_PAUSE_MS * 2 ** attempt : ROUND_PAUSE_MS) * (0.5 + Math.random() / 2);
