import type { Core } from '../../../kernel/core.ts';
import { admitSliding } from '../../../kernel/distributed/rate-limiter.ts';
import { type Failure, tooManyRequests } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { holds } from '../../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { canonicalLanguageTag } from '../../../kernel/text/language-tag.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { Media } from '../../media/contract.ts';
import type { Contributions } from '../../module.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type Identity, tooManyProfileChanges } from '../contract.ts';
import type { OwnProfile } from '../identity.schemas.ts';
import { memberOfUser, textOf, type User } from '../users/users.model.ts';
import { storedNames } from '../users/users.ts';
import { type EmptyingDeps, emptyingProfiles } from './emptying.ts';
import type { ProfileDraft } from './profile.schemas.ts';

/** Limited, because members know each other by username, and a former username can be taken by anyone. */
export const USERNAME_CHANGES = { days: 30, limit: 2 };

/** Each change is a line of the audit log, which one member must not fill. */
export const PROFILE_CHANGES = { lengthMs: HOUR_MS, limit: 60 };

export const tooManyUsernameChanges = (retryAfterSeconds: number): Failure =>
  tooManyRequests('TOO_MANY_USERNAME_CHANGES', retryAfterSeconds);

/** Returns what counts one more change of a member's own profile. @throws tooManyProfileChanges */
const profileLimit =
  ({ cache, clock }: Pick<Core, 'cache' | 'clock'>) =>
  (userId: ObjectId): Promise<void> =>
    admitSliding(cache, `profile:${userId}`, PROFILE_CHANGES, {
      nowMs: clock.now(),
      refused: tooManyProfileChanges,
    });

/** Returns how other modules change profiles; members' changes of their own count as those here do. */
export function changingProfiles(
  deps: EmptyingDeps & Pick<Core, 'cache'>,
  { changeProfile }: Pick<Accounts, 'changeProfile'>,
): Pick<Identity, 'changeProfile' | 'emptyProfileIn'> {
  const mayChange = profileLimit(deps);
  return {
    emptyProfileIn: emptyingProfiles(deps),
    async changeProfile(userId, changes, actor, alsoChange) {
      if (actor.actor === userId) await mayChange(userId);
      await changeProfile(userId, changes, actor, alsoChange);
    },
  };
}

export interface ProfileDeps extends Pick<Core, 'cache' | 'clock'> {
  accounts: Pick<Accounts, 'get' | 'change'>;
  media: Pick<Media, 'checkPublicUrls'>;
  mutedAmong: NonNullable<Contributions['mutedAmong']>;
}

/** The profile of a member, for the member. */
export function profileRules({ accounts, media, mutedAmong, cache, clock }: ProfileDeps) {
  const mayChange = profileLimit({ cache, clock });
  /**
   * Returns the times of username changes to store when the username is changed now.
   * @throws tooManyUsernameChanges
   */
  function countChange({ usernameChanges }: User): Date[] {
    const { days, limit } = USERNAME_CHANGES;
    const recent = usernameChanges.slice(-limit);
    const [oldest] = recent;
    const waitMs = oldest && recent.length === limit ? oldest.getTime() + days * DAY_MS - clock.now() : 0;
    if (waitMs > 0) throw tooManyUsernameChanges(Math.ceil(waitMs / SECOND_MS));
    return [...recent, clock.date()].slice(-limit);
  }

  /** Returns a member's own account, with the mute everywhere, which moderators never have. */
  async function withMute(user: User, caller: UserCaller): Promise<OwnProfile> {
    const muted = holds(caller, 'moderator') ? undefined : await mutedAmong([user.id]);
    return { ...ownProfileOf(user), mutedUntil: muted?.get(user.id) ?? null };
  }

  return {
    /** @throws userNotFound */
    get: async (caller: UserCaller): Promise<OwnProfile> =>
      withMute(await accounts.get(caller.userId), caller),

    /**
     * Changes the given fields that differ. Picture and biography are those of the educator profile, so that a member
     * has one of each.
     * @throws userNotFound, usernameTaken, tooManyUsernameChanges, tooManyProfileChanges; 422 for a picture that another
     * member uploaded
     */
    async update(caller: UserCaller, draft: ProfileDraft, facts: RequestFacts): Promise<OwnProfile> {
      const { userId } = caller;
      const { avatar, bio } = draft;
      await mayChange(userId);
      const alreadySaved = Object.values((await accounts.get(userId)).educator);
      await media.checkPublicUrls({ avatar, bio }, { ownerIds: [userId], alreadySaved });
      const changed = (user: User) => {
        const changes = differing(user, draft);
        if (changes.username === undefined) return changes;
        return { ...changes, usernameChanges: countChange(user) };
      };
      const action = 'user.profile-changed';
      return withMute(await accounts.change(userId, actorOf(caller, facts), { action, changed }), caller);
    },
  };
}

/** Returns the fields of the draft whose values differ from those of the user. */
function differing(user: User, { avatar, bio, locale, ...draft }: ProfileDraft): Partial<User> {
  const wanted: Partial<User> = {
    ...draft,
    ...storedNames(draft),
    ...(locale === undefined ? {} : { locale: locale && (canonicalLanguageTag(locale) ?? null) }),
  };
  const changes = Object.entries(wanted).filter(([name, value]) => value !== user[name as keyof User]);
  const before = ownProfileOf(user);
  const educator = {
    ...(avatar === undefined || avatar === before.avatar ? {} : { profileImage: avatar }),
    ...(bio === undefined || (bio || null) === before.bio ? {} : { educator_bio: bio ?? '' }),
  };
  if (Object.keys(educator).length > 0) changes.push(['educator', { ...user.educator, ...educator }]);
  return Object.fromEntries(changes);
}

/** Returns an account as its owner sees it. */
export const ownProfileOf = ({ educator, ...user }: User): OwnProfile => ({
  ...user,
  ...memberOfUser({ educator, ...user }),
  bio: textOf(educator.educator_bio),
});
