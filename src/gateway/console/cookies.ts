import { parseCookie, stringifySetCookie } from 'cookie';
import type { Secrets } from '../../kernel/secrets.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';

/** A sign-in at the console, as the browser's cookie holds it. Times are in milliseconds. */
export interface ConsoleSession {
  /** The session of the platform that this sign-in opened; once it ends, the cookie is worthless. */
  sessionId: string;
  /** The device of that session, which is this browser alone. */
  device: string;
  startedAt: number;
  /** When somebody last used the console. */
  usedAt: number;
  /** When the password was last entered. */
  provedAt: number;
}

/** An unused console asks for a new sign-in after this time. */
export const IDLE_MS = 30 * MINUTE_MS;
/** A sign-in ends after this time, used or not. */
export const LONGEST_MS = 12 * HOUR_MS;

interface CookieDeps {
  secrets: Secrets;
  clock: Clock;
  isProduction: boolean;
}

/**
 * The one cookie of the console: sealed, so that a browser can neither read nor change it, unreadable by scripts, and
 * sent only by our own pages. It contains no API key and no token.
 */
export function consoleCookies({ secrets, clock, isProduction }: CookieDeps) {
  // The prefix binds it to this host and to https, which development does without.
  const name = isProduction ? '__Host-console' : 'console';
  const { seal, open } = secrets.sealer('console session');
  const withValue = (value: string, maxAgeMs: number): string =>
    stringifySetCookie({
      name,
      value,
      path: '/',
      httpOnly: true,
      secure: isProduction,
      sameSite: 'strict',
      maxAge: Math.round(maxAgeMs / 1000),
    });

  return {
    /** Reads the session of a `Cookie` header; undefined if there is none, it was not made here, or it is over. */
    read(header: string | undefined): ConsoleSession | undefined {
      const value = header === undefined ? undefined : parseCookie(header)[name];
      if (!value) return undefined;
      let session: ConsoleSession;
      try {
        session = JSON.parse(open(Buffer.from(value, 'base64url')));
      } catch {
        return undefined;
      }
      const now = clock.now();
      const isOver = now - session.usedAt > IDLE_MS || now - session.startedAt > LONGEST_MS;
      return isOver ? undefined : session;
    },
    /** Returns the `Set-Cookie` that keeps a session. */
    keep: (session: ConsoleSession): string =>
      withValue(
        seal(JSON.stringify(session)).toString('base64url'),
        session.startedAt + LONGEST_MS - clock.now(),
      ),
    /** The `Set-Cookie` that deletes it. */
    forget: withValue('', 0),
  };
}

export type ConsoleCookies = ReturnType<typeof consoleCookies>;
