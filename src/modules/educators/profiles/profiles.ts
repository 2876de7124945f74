import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Core } from '../../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { insufficientPermissions, serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { holds } from '../../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { changesOf } from '../../../kernel/records/audit.ts';
import type { Education } from '../../education/contract.ts';
import { type Identity, namedMemberOf, notEducator } from '../../identity/contract.ts';
import type { Media, PictureLinks } from '../../media/contract.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { type EducatorCard, educatorNotFound } from '../contract.ts';
import { type Copying, searchableOf } from '../copying.ts';
import { type Educator, profileOf, subscribersOf, textOf } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import { noProfileFields } from './profiles.model.ts';
import type { EducatorView, Marks, ProfileDraft } from './profiles.schemas.ts';

interface ProfileDeps extends Pick<Core, 'database' | 'clock'> {
  store: EducatorStore;
  copying: Copying;
  identity: Pick<Identity, 'cardsOf' | 'contactsOf' | 'changeProfile'>;
  education: Pick<Education, 'teachingOf'>;
  media: Pick<Media, 'checkPublicUrls' | 'sizesOf'>;
  notifications: Pick<Notifications, 'audiencesOf'>;
  /** Whether educators' e-mail addresses are hidden from members. */
  hidesEmails: boolean;
}

const BATCH = { maxSize: 500, concurrency: 4, maxQueued: 20_000, onOverflow: serviceUnavailable };
const PICTURES = ['profileImage', 'banner_image'] as const;

/** Educators' profiles: visibility and changes. */
export function profileRules(deps: ProfileDeps) {
  const { store, copying, identity, education, media, notifications, database, clock, hidesEmails } = deps;

  // Used by each operation on an educator, so concurrent lookups share a query.
  const find = batching<ObjectId, Educator | undefined>(async (ids) => {
    const found = new Map((await store.findAll([...new Set(ids)])).map((one) => [one.id, one]));
    return ids.map((id) => found.get(id));
  }, BATCH);

  /** Returns an educator, active or not. @throws educatorNotFound, notEducator */
  async function educatorOf(id: ObjectId): Promise<Educator> {
    const profile = await find(id);
    if (profile?.isEducator) return profile;
    const [card] = await identity.cardsOf([id]);
    if (!card || card.isDeleted) throw educatorNotFound();
    if (!card.permissions.includes('educator')) throw notEducator();
    // Handles an account that became an educator without an event, for example by a manual change in the database.
    await database.transaction((tx) => copying.copyOf(tx, card));
    const copied = await store.find(id);
    if (!copied) throw educatorNotFound();
    return copied;
  }

  /** Returns those of the educators of whose publications the caller is notified. */
  async function subscribedAmong(all: Educator[], { userId }: UserCaller): Promise<Set<ObjectId>> {
    const audiences = all.map((one) => ({ id: one.id, ...subscribersOf(one.id, one) }));
    const topics = await notifications.audiencesOf(userId, audiences);
    return new Set(audiences.filter(({ topic }) => topics.has(topic)).map(({ id }) => id));
  }

  /** Adds data of other modules, with one query per module. */
  async function viewsOf(all: Educator[], caller: UserCaller): Promise<EducatorView[]> {
    const ids = all.map(({ id }) => id);
    const [contacts, teaching, followed, subscribed] = await Promise.all([
      identity.contactsOf(ids),
      education.teachingOf(ids),
      store.followedAmong(caller.userId, ids),
      subscribedAmong(all, caller),
    ]);
    const emailOf = new Map(contacts.map(({ userId, email }) => [userId, email]));
    const taught = new Map(teaching.map((one) => [one.educatorId, one]));
    const seesAll = !hidesEmails || holds(caller, 'admin');
    return all.map((one) => {
      const isShown = seesAll || one.id === caller.userId;
      const { courses = 0, rating = 0 } = taught.get(one.id) ?? {};
      const pictureSizes = {
        profileImage: sizesOf(one, 'profileImage'),
        banner_image: sizesOf(one, 'banner_image'),
      };
      return viewOf(one, {
        email: (isShown && emailOf.get(one.id)) || null,
        courses,
        rating,
        pictureSizes,
        isFollowing: followed.has(one.id),
        subscribed: subscribed.has(one.id),
      });
    });
  }

  function sizesOf({ profile }: Educator, field: (typeof PICTURES)[number]): PictureLinks | null {
    const url = textOf(profile[field]);
    return url === null ? null : media.sizesOf(url);
  }

  /** Checks that the files in new values are uploads of the educator, or of the administrator who sets them. */
  const checkFiles = (
    { id, profile }: Educator,
    changes: Record<string, unknown>,
    { userId }: UserCaller,
  ): Promise<void> =>
    media.checkPublicUrls(changes, { ownerIds: [id, userId], alreadySaved: Object.values(profile) });

  /**
   * Returns an educator who can be tipped and followed: one whose account is active.
   * @throws educatorNotFound, notEducator
   */
  async function activeOf(id: ObjectId): Promise<Educator> {
    const found = await educatorOf(id);
    if (!found.isActive) throw educatorNotFound();
    return found;
  }

  return {
    educatorOf,
    activeOf,
    viewsOf,
    subscribedAmong,
    viewFor: async (educator: Educator, caller: UserCaller): Promise<EducatorView> =>
      only(await viewsOf([educator], caller)),

    /** Returns the educator, if the caller is the educator or an administrator. @throws insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Educator> {
      if (id !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return educatorOf(id);
    },
    /** Returns the caller as an educator. @throws insufficientPermissions if the caller is not this educator */
    async own(id: ObjectId, caller: UserCaller): Promise<Educator> {
      if (id !== caller.userId) throw insufficientPermissions();
      return educatorOf(id);
    },

    async pageOf(
      { search, featured }: { search?: string; featured?: boolean },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<EducatorView>> {
      const text = search === undefined ? '' : searchableOf(search);
      const page =
        text === '' ? await store.pageOf(featured, request) : await store.search(text, featured, request);
      return { ...page, items: await viewsOf(page.items, caller) };
    },

    /** Never throws usernameTaken, since the username does not change. @throws noProfileFields, changedMeanwhile */
    async update(educator: Educator, draft: ProfileDraft, caller: UserCaller, facts: RequestFacts) {
      requireFields(draft);
      const { id } = educator;
      const { firstName, lastName, expectedUpdatedAt, ...profile } = draft;
      await checkFiles(educator, profile, caller);
      const changes = { ...trimmed({ firstName, lastName }), profile, expectedUpdatedAt };
      await identity.changeProfile(id, changes, actorOf(caller, facts));
      return only(await viewsOf([await educatorOf(id)], caller));
    },

    /** @throws usernameTaken, changedMeanwhile */
    async mark(educator: Educator, marks: Marks, caller: UserCaller, facts: RequestFacts) {
      const { id } = educator;
      const { username, rankBadgeUrl, isVerified, featured, expectedUpdatedAt } = marks;
      await checkFiles(educator, { rankBadgeUrl }, caller);
      const profile = rankBadgeUrl === undefined ? {} : { rankBadgeUrl };
      const changes = { ...(username && { username }), profile, expectedUpdatedAt };
      await identity.changeProfile(id, changes, actorOf(caller, facts), async (tx) =>
        changesOf((await store.mark(tx, id, marks, clock.date())) ?? {}, { isVerified, featured }),
      );
      return only(await viewsOf([await educatorOf(id)], caller));
    },

    /** Returns the cards of visible educators, for other modules. */
    async cardsOf(ids: ObjectId[]): Promise<EducatorCard[]> {
      const found = await store.findAll(ids);
      return found.filter(({ isEducator, isActive }) => isEducator && isActive).map(toCard);
    },
    async search(text: string, limit: number): Promise<EducatorCard[]> {
      const page = await store.search(searchableOf(text), undefined, { page: 1, limit });
      return mapPage(page, toCard).items;
    },
  };
}

export type ProfileRules = ReturnType<typeof profileRules>;

const toCard = ({ id, firstName, lastName, username, profile }: Educator): EducatorCard => ({
  educatorId: id,
  firstName,
  lastName,
  username,
  slug: username,
  avatar: textOf(profile.profileImage),
  title: textOf(profile.educator_title),
});

function viewOf(
  educator: Educator,
  {
    email,
    courses,
    ...seen
  }: Pick<EducatorView, 'email' | 'rating' | 'pictureSizes' | 'isFollowing' | 'subscribed'> & {
    courses: number;
  },
): EducatorView {
  const { profile, followers, featuredAt } = educator;
  return {
    ...namedMemberOf(profileOf(educator)),
    email,
    profileImage: textOf(profile.profileImage),
    rankBadgeUrl: textOf(profile.rankBadgeUrl),
    educator_title: textOf(profile.educator_title),
    educator_bio: textOf(profile.educator_bio),
    banner_image: textOf(profile.banner_image),
    specialty: textOf(profile.specialty),
    skills: (profile.skills as string[] | undefined) ?? [],
    socials: (profile.socials as Record<string, string> | undefined) ?? {},
    subscriberCount: followers,
    followerCount: followers,
    courseCount: courses,
    ...seen,
    permissions: educator.permissions,
    isVerified: educator.isVerified,
    featured: featuredAt !== null,
    createdAt: educator.createdAt,
    updatedAt: educator.updatedAt,
  };
}

/** @throws noProfileFields for a draft that names no field of a profile */
function requireFields({ expectedUpdatedAt: _, ...fields }: ProfileDraft): void {
  if (Object.keys(fields).length === 0) throw noProfileFields();
}

/** The names that a draft has. */
const trimmed = ({ firstName, lastName }: Pick<ProfileDraft, 'firstName' | 'lastName'>) => ({
  ...(firstName && { firstName: firstName.trim() }),
  ...(lastName && { lastName: lastName.trim() }),
});
