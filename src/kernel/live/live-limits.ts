import { SECOND_MS } from '../time/time.ts';

/** How long after connecting a client must sign in. */
export const AUTH_MS = 10 * SECOND_MS;
/** How long a client may send nothing. */
export const SILENCE_MS = 60 * SECOND_MS;
/** How often a client should send something; half of {@link SILENCE_MS}, so that one message may be lost. */
export const PING_MS = SILENCE_MS / 2;
/** How long before its token expires a client is asked for a new one. */
export const WARN_MS = 60 * SECOND_MS;
/** How long a socket may take nothing of what it missed. */
export const STALLED_MS = 30 * SECOND_MS;
/** Invalid messages allowed per minute before the connection is closed. */
export const MAX_FAULTS = 20;
/** Largest message of a client. */
export const MAX_MESSAGE_KIBIBYTES = 64;
/** Characters of a text that a client has chosen as `requestId`, which its answer repeats. */
export const MAX_REQUEST_ID_LENGTH = 64;
