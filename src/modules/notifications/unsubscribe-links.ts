import { createHmac } from 'node:crypto';
import { OBJECT_ID, type ObjectId } from '../../kernel/ids.ts';
import { type Secrets, sameSecret } from '../../kernel/secrets.ts';

/** Signed links with which a member turns off e-mail notifications without signing in. */
export function unsubscribeLinks(secrets: Pick<Secrets, 'lastingKey'>, baseUrl: () => string) {
  const key = secrets.lastingKey('notifications.unsubscribe');
  const sign = (userId: ObjectId): string => createHmac('sha256', key).update(userId).digest('base64url');
  return {
    of: (userId: ObjectId): string =>
      `${baseUrl().replace(/\/$/, '')}/v1/notifications/unsubscribe?token=${userId}.${sign(userId)}`,
    /** Returns the member named by a token; undefined if its signature is invalid. */
    read(token: string): ObjectId | undefined {
      const [userId = '', signature = '', ...more] = token.split('.');
      const isOurs = OBJECT_ID.test(userId) && sameSecret(signature, sign(userId)) && more.length === 0;
      return isOurs ? userId : undefined;
    },
  };
}

export type UnsubscribeLinks = ReturnType<typeof unsubscribeLinks>;
