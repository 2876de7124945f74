/** The states of the connection. */
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

/** Why the channel ends when the member signs out or another one signs in. */
export const SIGNED_OUT = 'signed out';

/** Close codes after which the client does not reconnect by itself. */
const ENDED = [4401, 4409, 4410, 4429];

export const endsFor = (code: number): boolean => ENDED.includes(code);
/** The token was not accepted; the client may have a newer one. */
export const NOT_AUTHENTICATED = 4401;

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Number of failed attempts in a row after which the client waits for a sign that the network has returned. */
export const MAX_ATTEMPTS = 5;

/** Returns how long to wait before an attempt, the first being number 0. */
export const pauseMsOf = (attempt: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
