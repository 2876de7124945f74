import { SECOND_MS } from '../time/time.ts';

/** Time after connecting within which a client must sign in. */
export const AUTH_MS = 10 * SECOND_MS;
/** Time without any message from the client after which the connection is closed. */
export const SILENCE_MS = 60 * SECOND_MS;
/** How often a client should send something; half of {@link SILENCE_MS}, so that one message may be lost. */
export const PING_MS = SILENCE_MS / 2;
/** How long before its token expires a client is asked for a new one. */
export const WARN_MS = 60 * SECOND_MS;
/** Time for which a socket may accept no data while missed messages are being sent. */
export const STALLED_MS = 30 * SECOND_MS;
/** Invalid messages allowed per minute before the connection is closed. */
export const MAX_FAULTS = 20;
/** Maximum size of a message from a client. */
export const MAX_MESSAGE_KIBIBYTES = 64;
/** Maximum length of a text that a client chooses as `requestId`, which its answer repeats. */
export const MAX_REQUEST_ID_LENGTH = 64;
