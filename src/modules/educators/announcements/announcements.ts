import { Type } from 'typebox';
import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { insufficientPermissions, serviceUnavailable, validationFailed } from '../../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import { type Jobs, job, jobKind } from '../../../kernel/messaging/jobs.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import { shortenTo } from '../../../kernel/text/text.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Media } from '../../media/contract.ts';
import type { FanOut } from '../../notifications/contract.ts';
import { announcementLiked, announcementPublished } from '../contract.ts';
import type { Educator } from '../educators.store.ts';
import { announcementNotFound, tooManyPinned } from '../failures.ts';
import type { AnnouncementChanges, AnnouncementDraft, AnnouncementView } from './announcements.schemas.ts';
import type { Announcement, AnnouncementStore, Like } from './announcements.store.ts';

const MAX_PINNED = 10;
const MAX_EXCERPT_LENGTH = 200;
const MAX_FEED_OFFSET = 10_000;
const ERASED_AT_ONCE = 500;
const forgetAnnouncement = jobKind(
  'educators.forget-announcement',
  Type.Object({ announcementId: ObjectIdShape }),
);
const FORGOTTEN_AT_ONCE = 5_000;

interface AnnouncementDeps {
  store: AnnouncementStore;
  media: Pick<Media, 'checkPublicUrls' | 'isOwnUrl'>;
  database: Database;
  events: Events;
  jobs: Pick<Jobs, 'enqueue'>;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** Announcements of educators to their followers. */
export function announcementRules(deps: AnnouncementDeps) {
  const { store, media, database, events, jobs, fanOut, clock, newId } = deps;

  async function viewsOf(all: Announcement[], { userId }: UserCaller): Promise<AnnouncementView[]> {
    const ids = all.map(({ id }) => id);
    const liked = await store.likedBy(userId, ids);
    return all.map((one) => viewOf(one, liked.has(one.id)));
  }
  const viewsOfPage = async (page: Page<Announcement>, caller: UserCaller) => ({
    ...page,
    items: await viewsOf(page.items, caller),
  });

  /** Checks that links are https and that uploaded files are the educator's own. */
  async function checkMultimedia(
    multimedia: Announcement['multimedia'],
    ownerId: ObjectId,
    before: Announcement['multimedia'] = [],
  ): Promise<void> {
    const urls = Object.fromEntries(
      multimedia.map(({ url }, place) => [`multimedia.${place}.url`, url] as const),
    );
    for (const [field, url] of Object.entries(urls))
      if (!media.isOwnUrl(url) && !url.toLowerCase().startsWith('https://'))
        throw validationFailed([
          { field, message: 'must be an https address or the publicUrl of an upload' },
        ]);
    await media.checkPublicUrls(urls, { ownerIds: [ownerId], shown: before.map(({ url }) => url) });
  }

  async function guardPinned(tx: Transaction, { id, educatorId, pinned }: Announcement): Promise<void> {
    if (!pinned) return;
    await tx.lock('educators.pinned', educatorId);
    if ((await store.countPinned(tx, educatorId, id)) >= MAX_PINNED) throw tooManyPinned();
  }

  async function deleteIn(tx: Transaction, one: Announcement): Promise<void> {
    await store.delete(tx, one.id);
    await jobs.enqueue(tx, forgetAnnouncement, [{ announcementId: one.id }]);
  }

  /** Returns an announcement that members may see. @throws announcementNotFound */
  async function find(id: ObjectId): Promise<Announcement> {
    const one = await store.find(id);
    if (!one) throw announcementNotFound();
    return one;
  }

  /** Batches concurrent likes into one transaction; each call returns the resulting count. */
  const together = (write: (tx: Transaction, likes: Like[]) => Promise<Like[]>, isLike: boolean) =>
    batching<Like & { educatorId: ObjectId }, number | undefined>(
      async (likes) => {
        const unique = [...new Map(likes.map((one) => [one.id + one.userId, one])).values()];
        const counts = await database.transaction(async (tx) => {
          const changed = new Set((await write(tx, unique)).map(({ id, userId }) => id + userId));
          const told = unique.filter(({ id, userId }) => isLike && changed.has(id + userId));
          const data = told.map(({ id, userId, educatorId }) => ({ announcementId: id, userId, educatorId }));
          await events.publish(tx, announcementLiked, ...data);
          return store.likesOf([...new Set(unique.map(({ id }) => id))], tx);
        });
        return likes.map(({ id }) => counts.get(id));
      },
      { maxSize: 200, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable },
    );
  const likeTogether = together((tx, likes) => store.like(tx, likes, clock.date()), true);
  const unlikeTogether = together((tx, likes) => store.unlike(tx, likes), false);

  /** Deletes likes and comments of a deleted announcement in the background, since there may be many. */
  const forget = job(forgetAnnouncement, {
    run: async ({ announcementId }) => {
      while ((await store.forgetSome(announcementId, FORGOTTEN_AT_ONCE)) > 0);
    },
  });

  return {
    jobs: [forget],
    find,
    /** Returns the caller's own announcement. @throws announcementNotFound, insufficientPermissions */
    async own(id: ObjectId, { userId }: UserCaller): Promise<Announcement> {
      const one = await find(id);
      if (one.educatorId !== userId) throw insufficientPermissions();
      return one;
    },

    /** @throws announcementNotFound when `before` is not an announcement of this educator */
    async pageOf(
      { id: educatorId, isActive }: Educator,
      request: PageRequest,
      before: ObjectId | undefined,
      caller: UserCaller,
    ) {
      if (!isActive) return { ...request, items: [], total: 0 };
      const after = before === undefined ? undefined : await find(before);
      if (after && after.educatorId !== educatorId) throw announcementNotFound();
      const page = await store.pageOf(educatorId, after ? { ...request, page: 1 } : request, after);
      return viewsOfPage(page, caller);
    },
    /** @throws validationFailed for a page so far back that only a cursor can reach it */
    async feedOf(request: PageRequest, before: ObjectId | undefined, caller: UserCaller) {
      if (before === undefined && offsetOf(request) > MAX_FEED_OFFSET)
        throw validationFailed([{ field: 'page', message: 'is too large; use before to continue' }]);
      const asked = before === undefined ? request : { ...request, page: 1 };
      return mapPage(await store.feedOf(caller.userId, asked, before), ({ liked, ...one }) =>
        viewOf(one, liked),
      );
    },

    /** Publishes; notifies followers unless the educator has published too often within the hour. */
    async publish(educator: Educator, draft: AnnouncementDraft, caller: UserCaller) {
      const at = clock.date();
      const one: Announcement = {
        ...EMPTY,
        ...draft,
        id: newId(),
        educatorId: educator.id,
        createdAt: at,
        updatedAt: at,
      };
      await checkMultimedia(one.multimedia, educator.id);
      const isQuiet = !(await fanOut.admits('announcements', caller));
      await database.transaction(async (tx) => {
        await guardPinned(tx, one);
        await store.insert(tx, one);
        await events.publish(tx, announcementPublished, {
          educatorId: educator.id,
          educatorName: `${educator.firstName} ${educator.lastName}`.trim(),
          educatorSince: educator.educatorSince.toISOString(),
          isQuiet,
          announcementId: one.id,
          title: one.title,
          excerpt: shortenTo(one.content, MAX_EXCERPT_LENGTH),
          priority: one.priority,
        });
      });
      const [view] = await viewsOf([one], caller);
      return { announcement: view as AnnouncementView, isQuiet };
    },

    /** Changes the given fields, without another notification. @throws announcementNotFound, tooManyPinned */
    async update(
      { id, educatorId, multimedia }: Announcement,
      changes: AnnouncementChanges,
      caller: UserCaller,
    ) {
      await checkMultimedia(changes.multimedia ?? [], educatorId, multimedia);
      const changed = await database.transaction(async (tx) => {
        const before = await store.lock(tx, id);
        if (!before) throw announcementNotFound();
        const after = { ...before, ...changes, updatedAt: clock.date() };
        if (!before.pinned) await guardPinned(tx, after);
        await store.update(tx, after);
        return after;
      });
      return (await viewsOf([changed], caller))[0] as AnnouncementView;
    },
    delete: ({ id }: Pick<Announcement, 'id'>): Promise<void> =>
      database.transaction(async (tx) => {
        const one = await store.lock(tx, id);
        if (one) await deleteIn(tx, one);
      }),

    /** @throws announcementNotFound when it was deleted concurrently */
    async like({ id, educatorId }: Announcement, { userId }: UserCaller, isLike: boolean) {
      const likes = await (isLike ? likeTogether : unlikeTogether)({ id, userId, educatorId });
      if (likes === undefined) throw announcementNotFound();
      return { announcementId: id, liked: isLike, likes };
    },

    /** Deletes a deleted member's likes and, for an educator, announcements. */
    async erase(userId: ObjectId): Promise<void> {
      const unlikeSome = async (tx: Transaction): Promise<number> =>
        (await store.unlike(tx, await store.someLikedBy(tx, userId, ERASED_AT_ONCE))).length;
      while ((await database.transaction(unlikeSome)) > 0);
      const deleteSome = async (tx: Transaction): Promise<number> => {
        const some = await store.someOf(tx, userId, ERASED_AT_ONCE / 10);
        for (const one of some) await deleteIn(tx, one);
        return some.length;
      };
      while ((await database.transaction(deleteSome)) > 0);
    },
  };
}

export type AnnouncementRules = ReturnType<typeof announcementRules>;

const viewOf = ({ likes, comments, ...one }: Announcement, liked: boolean): AnnouncementView => ({
  ...one,
  reactions: { likes, comments },
  liked,
});

const EMPTY = {
  category: '',
  priority: 'normal' as const,
  pinned: false,
  tags: [],
  multimedia: [],
  likes: 0,
  comments: 0,
};
