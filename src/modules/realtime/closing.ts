import type { LiveClose } from '../../kernel/live-commands.ts';

/** Reasons for which the server closes a connection. Codes from 4400 correspond to HTTP status codes. */
export const CLOSES = {
  tooBig: {
    code: 1009,
    reason: '',
    advice: 'Correct the client: a message is at most 64 KB.',
  },
  restart: {
    code: 1012,
    reason: 'the server restarts',
    advice: 'Come back after 1 s, 2 s, 4 s and so on up to 30 s, each with some chance.',
  },
  full: {
    code: 1013,
    reason: 'too many connections',
    advice: 'The process has all the connections it may: come back as after 1012.',
  },
  unavailable: {
    code: 1013,
    reason: 'temporarily unavailable',
    advice: 'What you may have could not be looked up: come back as after 1012.',
  },
  unauthenticated: {
    code: 4401,
    reason: 'authentication failed',
    advice: 'Sign in or refresh the token, then come back.',
  },
  tokenExpired: {
    code: 4401,
    reason: 'the token has expired',
    advice: 'Refresh the token, then come back.',
  },
  sessionEnded: { code: 4401, reason: 'the session has ended', advice: 'Sign in again, then come back.' },
  authTimeout: {
    code: 4408,
    reason: 'no auth in time',
    advice: 'Come back, and send `auth` within 10 seconds.',
  },
  silent: {
    code: 4408,
    reason: 'silent for too long',
    advice: 'Nothing came for 60 seconds: come back, and send `ping` every 30 seconds.',
  },
  otherUser: {
    code: 4409,
    reason: 'signed in as somebody else',
    advice: 'A connection stays with its member: open another one.',
  },
  replaced: {
    code: 4410,
    reason: 'too many connections of this member',
    advice: 'Stay away: a newer connection of the same member has taken its place.',
  },
  slow: { code: 4413, reason: 'too slow', advice: 'More than 1 MB waited: come back, and read faster.' },
  faulty: {
    code: 4429,
    reason: 'too many faulty messages',
    advice: 'Correct the client: it sent more than 20 faulty messages within a minute.',
  },
} as const satisfies Record<string, LiveClose>;

export type Close = Pick<LiveClose, 'code' | 'reason'>;
