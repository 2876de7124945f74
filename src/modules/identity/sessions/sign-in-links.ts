import { OBJECT_ID, type ObjectId } from '../../../kernel/ids.ts';
import type { Secrets } from '../../../kernel/secrets.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';

export const LINK_DAYS = 7;
export const SIGN_IN_LINK_PATH = '/v1/auth/new-sign-in';

/** Signed links that end one session without signing in, for a week after it was opened. */
export function signInLinks(secrets: Secrets, clock: Clock, baseUrl: () => string) {
  const signer = secrets.signer('identity.new-sign-in');
  return {
    of(sessionId: ObjectId, openedAt: Date): string {
      const until = Math.floor((openedAt.getTime() + LINK_DAYS * DAY_MS) / SECOND_MS);
      const text = `${sessionId}.${until}`;
      return `${baseUrl().replace(/\/$/, '')}${SIGN_IN_LINK_PATH}?token=${text}.${signer.sign(text).toString('base64url')}`;
    },
    /** Returns the session that a token names; undefined if it is not ours or older than a week. */
    read(token: string): ObjectId | undefined {
      const [sessionId = '', until = '', signature = '', ...more] = token.split('.');
      const isOurs = OBJECT_ID.test(sessionId) && signer.isSigned(`${sessionId}.${until}`, signature);
      return isOurs && more.length === 0 && Number(until) * SECOND_MS > clock.now() ? sessionId : undefined;
    },
  };
}

export type SignInLinks = ReturnType<typeof signInLinks>;
