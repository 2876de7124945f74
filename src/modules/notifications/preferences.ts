import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Channel, NotificationType } from './contract.ts';
import { EVERYTHING, type Preferences } from './types.ts';

/** What each member wants to have on which channel. */
export function preferenceRules({ database, clock }: { database: Database; clock: Clock }) {
  /** Those of many; who has said nothing wants everything. */
  async function ofAll(
    userIds: ObjectId[],
    queries: Queries = database,
  ): Promise<Map<ObjectId, Preferences>> {
    const rows = await queries.all(
      'select user_id as "userId", preferences from notifications.preference where user_id = any($1)',
      [userIds],
    );
    return new Map(rows.map(({ userId, preferences }) => [userId as ObjectId, preferences as Preferences]));
  }

  async function of(userId: ObjectId): Promise<Preferences> {
    return (await ofAll([userId])).get(userId) ?? EVERYTHING;
  }

  return {
    ofAll,
    of,
    /** Changes what is given of it; the rest stays. */
    async change(
      userId: ObjectId,
      changes: { [C in Channel]?: { enabled?: boolean; types?: NotificationType[] } },
    ): Promise<Preferences> {
      return database.transaction(async (tx) => {
        await tx.execute(
          `insert into notifications.preference (user_id, preferences, updated_at) values ($1, $2, $3)
           on conflict (user_id) do update set updated_at = excluded.updated_at`,
          [userId, JSON.stringify(EVERYTHING), new Date(clock.now())],
        );
        const before = (await ofAll([userId], tx)).get(userId) as Preferences;
        const after: Preferences = {
          email: { ...before.email, ...changes.email },
          push: { ...before.push, ...changes.push },
          sms: { ...before.sms, ...changes.sms },
        };
        await tx.execute('update notifications.preference set preferences = $2 where user_id = $1', [
          userId,
          JSON.stringify(after),
        ]);
        return after;
      });
    },
  };
}

export type PreferenceRules = ReturnType<typeof preferenceRules>;

/** Whether somebody with these preferences wants notifications of this type on this channel. */
export const wants = (preferences: Preferences, channel: Channel, type: NotificationType): boolean =>
  preferences[channel].enabled && preferences[channel].types.includes(type);
