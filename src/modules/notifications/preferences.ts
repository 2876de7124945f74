import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Channel } from './contract.ts';
import type { Preferences } from './preferences.model.ts';
import type { PreferenceStore } from './preferences.store.ts';
import type { Vocabulary } from './vocabulary.model.ts';

/** The channel preferences of members. */
export function preferenceRules({
  database,
  store,
  types,
  clock,
}: {
  database: Database;
  store: PreferenceStore;
  types: Vocabulary['types'];
  clock: Clock;
}) {
  const all = { enabled: true, types: [...types.keys()] };
  const everything: Preferences = { email: all, push: all, sms: all };

  return {
    /** Returns the preferences of the members who have set any; the default for others is everything. */
    ofAll: store.ofAll,
    of: async (userId: ObjectId): Promise<Preferences> =>
      (await store.ofAll([userId])).get(userId) ?? everything,
    /** Changes the given fields; omitted ones keep their values. */
    async change(
      userId: ObjectId,
      changes: { [C in Channel]?: { enabled?: boolean; types?: string[] } },
    ): Promise<Preferences> {
      return database.transaction(async (tx) => {
        const before = await store.lock(tx, userId, everything, clock.date());
        const after: Preferences = {
          email: { ...before.email, ...changes.email },
          push: { ...before.push, ...changes.push },
          sms: { ...before.sms, ...changes.sms },
        };
        await store.update(tx, userId, after);
        return after;
      });
    },
  };
}

export type PreferenceRules = ReturnType<typeof preferenceRules>;

/**
 * Whether these preferences accept notifications of this type on this channel; a member without preferences accepts
 * all.
 */
export const wants = (preferences: Preferences | null | undefined, channel: Channel, type: string): boolean =>
  !preferences || (preferences[channel].enabled && preferences[channel].types.includes(type));
