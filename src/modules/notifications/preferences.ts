import type { Database } from '../../kernel/database/database.ts';
import { validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { endOfHours } from '../../kernel/time/zones.ts';
import type { Channel } from './contract.ts';
import type { ChannelPreference, Preferences, QuietHours } from './preferences.model.ts';
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
  const known = [...types.keys()];
  const all = { enabled: true, types: known, known };
  const everything: Preferences = { email: all, push: all, sms: all };

  const changed = (before: ChannelPreference, change: Changes[Channel] = {}): ChannelPreference =>
    change.types ? { ...before, ...change, known } : { ...before, ...change };
  const shownOf = (channel: ChannelPreference) => ({
    enabled: channel.enabled,
    types: known.filter((type) => !isOff(channel, type)),
  });

  return {
    /** Returns the preferences of the members who have set any; the default for others is everything. */
    ofAll: store.ofAll,
    of: async (userId: ObjectId): Promise<Preferences> =>
      (await store.ofAll([userId])).get(userId) ?? everything,
    /** Returns preferences as members see them, with the types that are delivered on each channel. */
    shown: ({ email, push, sms, quietHours = null }: Preferences) => ({
      email: shownOf(email),
      push: shownOf(push),
      sms: shownOf(sms),
      quietHours,
    }),
    /**
     * Changes the given fields; omitted ones keep their values.
     * @throws 422 for quiet hours that end when they begin
     */
    async change(userId: ObjectId, changes: Changes): Promise<Preferences> {
      if (changes.quietHours && changes.quietHours.from === changes.quietHours.to)
        throw validationFailed([{ field: 'preferences.quietHours.to', message: 'must differ from from' }]);
      return database.transaction(async (tx) => {
        const before = await store.lock(tx, userId, everything, clock.date());
        const after: Preferences = {
          email: changed(before.email, changes.email),
          push: changed(before.push, changes.push),
          sms: changed(before.sms, changes.sms),
          quietHours: changes.quietHours === undefined ? (before.quietHours ?? null) : changes.quietHours,
        };
        await store.update(tx, userId, after);
        return after;
      });
    },
  };
}

type Changes = { [C in Channel]?: { enabled?: boolean; types?: string[] } } & {
  quietHours?: QuietHours | null;
};

export type PreferenceRules = ReturnType<typeof preferenceRules>;

/** The types of the first release: those among which members chose whose preferences do not say. */
const FIRST_TYPES =
  'achievement alert announcement comment_reply course_update reminder trade_update welcome'.split(' ');

/** Whether the member has turned a type off; one that came after their choice is on, as it is for everybody else. */
const isOff = ({ types, known = FIRST_TYPES }: ChannelPreference, type: string): boolean =>
  known.includes(type) && !types.includes(type);

/**
 * Whether these preferences accept notifications of this type on this channel; a member without preferences accepts
 * all.
 */
export const wants = (preferences: Preferences | null | undefined, channel: Channel, type: string): boolean =>
  !preferences || (preferences[channel].enabled && !isOff(preferences[channel], type));

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/** Returns when the quiet hours of a member end; undefined outside of them. */
export function quietUntil(preferences: Preferences | null | undefined, at: Date): Date | undefined {
  const hours = preferences?.quietHours;
  if (!hours) return undefined;
  return endOfHours(at, { from: minuteOf(hours.from), to: minuteOf(hours.to), zone: hours.timeZone });
}
