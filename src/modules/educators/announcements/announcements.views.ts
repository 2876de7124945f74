import { mapPage, offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Educator } from '../educators.model.ts';
import { announcementNotFound } from '../failures.ts';
import type { LikeStore } from './announcement-likes.store.ts';
import type { Announcement } from './announcements.model.ts';
import type { AnnouncementView } from './announcements.schemas.ts';
import type { AnnouncementStore } from './announcements.store.ts';

const MAX_FEED_OFFSET = 10_000;

interface ViewDeps {
  store: AnnouncementStore;
  likes: Pick<LikeStore, 'likedBy'>;
}

/** Announcements in the form that members see: with counts and the caller's own likes. */
export function announcementViews({ store, likes }: ViewDeps) {
  async function viewsOf(all: Announcement[], { userId }: UserCaller): Promise<AnnouncementView[]> {
    const ids = all.map(({ id }) => id);
    const liked = await likes.likedBy(userId, ids);
    return all.map((one) => viewOf(one, liked.has(one.id)));
  }
  const viewsOfPage = async (page: Page<Announcement>, caller: UserCaller) => ({
    ...page,
    items: await viewsOf(page.items, caller),
  });

  return {
    viewsOf,
    /** @throws announcementNotFound when `before` is not an announcement of this educator */
    async pageOf({ id: educatorId, isActive }: Educator, request: PageRequest, caller: UserCaller) {
      const { before } = request;
      if (!isActive) return { ...request, items: [], total: 0 };
      const after = before === undefined ? undefined : await store.find(before);
      if (before !== undefined && after?.educatorId !== educatorId) throw announcementNotFound();
      const page = await store.pageOf(educatorId, request, after);
      return viewsOfPage(page, caller);
    },
    /** @throws validationFailed for a page so far back that only a cursor can reach it */
    async feedOf(request: PageRequest, caller: UserCaller) {
      if (offsetOf(request) > MAX_FEED_OFFSET)
        throw validationFailed([{ field: 'page', message: 'is too large; use before to continue' }]);
      return mapPage(await store.feedOf(caller.userId, request), ({ liked, ...one }) => viewOf(one, liked));
    },
  };
}

export type AnnouncementViews = ReturnType<typeof announcementViews>;

const viewOf = ({ likes, comments, ...one }: Announcement, liked: boolean): AnnouncementView => ({
  ...one,
  reactions: { likes, comments },
  liked,
});
