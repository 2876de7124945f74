/** Why the server closes a connection. Those of 4400 and more are to be read like the HTTP status. */
export const CLOSES = {
  /** Come back, after a moment: this process stops. */
  restart: { code: 1012, reason: 'the server restarts' },
  /** Come back later: no room for more. */
  full: { code: 1013, reason: 'too many connections' },
  /** Come back later: what you may have could not be looked up. */
  unavailable: { code: 1013, reason: 'temporarily unavailable' },
  /** Sign in or refresh first. */
  unauthenticated: { code: 4401, reason: 'authentication failed' },
  tokenExpired: { code: 4401, reason: 'the token has expired' },
  sessionEnded: { code: 4401, reason: 'the session has ended' },
  authTimeout: { code: 4408, reason: 'no auth in time' },
  /** Come back at once; ping every 30 seconds. */
  silent: { code: 4408, reason: 'silent for too long' },
  /** A connection stays with whom it was opened by. */
  otherUser: { code: 4409, reason: 'signed in as somebody else' },
  /** Stay away: a newer connection of the same member has taken its place. */
  replaced: { code: 4410, reason: 'too many connections of this member' },
  /** Come back, and read faster: too much had piled up. */
  slow: { code: 4413, reason: 'too slow' },
  /** Mend the client first. */
  faulty: { code: 4429, reason: 'too many faulty messages' },
} as const;

export type Close = (typeof CLOSES)[keyof typeof CLOSES];
