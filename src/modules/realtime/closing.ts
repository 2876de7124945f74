import type { LiveClose } from '../../kernel/live/live-commands.ts';
import {
  AUTH_MS,
  MAX_FAULTS,
  MAX_MESSAGE_KIBIBYTES,
  PING_MS,
  SILENCE_MS,
  STALLED_MS,
} from '../../kernel/live/live-limits.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';

/** Reasons for which the server closes a connection. Codes from 4400 correspond to HTTP status codes. */
export const CLOSES = {
  notUnicode: { code: 1007, reason: '', advice: 'Correct the client: a text message is UTF-8.' },
  tooBig: {
    code: 1009,
    reason: '',
    advice: `Correct the client: a message is at most ${MAX_MESSAGE_KIBIBYTES} KiB.`,
  },
  restart: {
    code: 1012,
    reason: 'the server restarts',
    advice:
      'Reconnect after 1 s, 2 s, 4 s and so on up to 30 s, each with random jitter, at most 5 times in a row without success.',
  },
  full: {
    code: 1013,
    reason: 'too many connections',
    advice: 'The server has reached its connection limit. Reconnect as after 1012.',
  },
  unavailable: {
    code: 1013,
    reason: 'temporarily unavailable',
    advice: 'Your permissions or the messages that you missed could not be read. Reconnect as after 1012.',
  },
  unauthenticated: {
    code: 4401,
    reason: 'authentication failed',
    advice: 'Sign in or refresh the token, then reconnect.',
  },
  tokenExpired: {
    code: 4401,
    reason: 'the token has expired',
    advice: 'Refresh the token, then reconnect.',
  },
  sessionEnded: { code: 4401, reason: 'the session has ended', advice: 'Sign in again, then reconnect.' },
  authTimeout: {
    code: 4408,
    reason: 'no auth in time',
    advice: `Reconnect, and send \`auth\` within ${AUTH_MS / SECOND_MS} seconds.`,
  },
  silent: {
    code: 4408,
    reason: 'silent for too long',
    advice: `Nothing was received for ${SILENCE_MS / SECOND_MS} seconds. Reconnect, and send \`ping\` every ${PING_MS / SECOND_MS} seconds.`,
  },
  byOperator: {
    code: 4403,
    reason: 'closed by an administrator',
    advice: 'Reconnect as after 1012. If the session was ended, too, you are then refused with 4401.',
  },
  otherUser: {
    code: 4409,
    reason: 'signed in as somebody else',
    advice: 'A connection cannot change its member. Open another one.',
  },
  replaced: {
    code: 4410,
    reason: 'too many connections of this member',
    advice: 'Do not reconnect: a newer connection of the same member has replaced this one.',
  },
  slow: {
    code: 4413,
    reason: 'too slow',
    advice: `More than 1 MB was waiting to be read for seconds, or nothing of what you missed was read for ${STALLED_MS / SECOND_MS}. Reconnect, and read faster.`,
  },
  faulty: {
    code: 4429,
    reason: 'too many faulty messages',
    advice: `Correct the client: it sent more than ${MAX_FAULTS} invalid messages within a minute.`,
  },
} as const satisfies Record<string, LiveClose>;

export type Close = Pick<LiveClose, 'code' | 'reason'>;

const NAMES = new Map<Close, string>(Object.entries(CLOSES).map(([name, close]) => [close, name]));

/** Returns the name of a reason to close a connection, for metrics. */
export const nameOfClose = (close: Close): string => NAMES.get(close) ?? 'other';
