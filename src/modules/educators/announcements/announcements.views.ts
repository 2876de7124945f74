import { offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Member } from '../../identity/contract.ts';
import { type Educator, memberLookup } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import type { LikeStore } from './announcement-likes.store.ts';
import type { Announcement } from './announcements.model.ts';
import type { AnnouncementView } from './announcements.schemas.ts';
import type { AnnouncementStore } from './announcements.store.ts';

const MAX_FEED_OFFSET = 10_000;

interface ViewDeps {
  store: AnnouncementStore;
  likes: Pick<LikeStore, 'likedBy'>;
  educators: Pick<EducatorStore, 'findAll'>;
}

/** Announcements in the form that members see: with counts, their educators and the caller's own likes. */
export function announcementViews({ store, likes, educators }: ViewDeps) {
  const educatorsOf = (all: Announcement[]): Promise<Educator[]> =>
    educators.findAll([...new Set(all.map(({ educatorId }) => educatorId))]);

  async function viewsOf(
    all: Announcement[],
    { userId }: UserCaller,
    known?: Educator[],
  ): Promise<AnnouncementView[]> {
    const ids = all.map(({ id }) => id);
    const [liked, found] = await Promise.all([likes.likedBy(userId, ids), known ?? educatorsOf(all)]);
    const memberOf = memberLookup(found);
    return all.map((one) => viewOf(one, { liked: liked.has(one.id), educator: memberOf(one.educatorId) }));
  }

  return {
    /** Reads the educators of the announcements, unless they are known. */
    viewsOf,
    async pageOf(
      educator: Educator,
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<AnnouncementView>> {
      if (!educator.isActive) return { ...request, items: [], total: 0 };
      const page = await store.pageOf(educator.id, request, placeOf(request));
      return { ...page, items: await viewsOf(page.items, caller, [educator]) };
    },
    /** @throws validationFailed for a page so far back that only a cursor can reach it */
    async feedOf(request: PageRequest, caller: UserCaller): Promise<Page<AnnouncementView>> {
      if (offsetOf(request) > MAX_FEED_OFFSET)
        throw validationFailed([{ field: 'page', message: 'is too large; use before to continue' }]);
      const page = await store.feedOf(caller.userId, request);
      const memberOf = memberLookup(await educatorsOf(page.items));
      const items = page.items.map(({ liked, ...one }) =>
        viewOf(one, { liked, educator: memberOf(one.educatorId) }),
      );
      return { ...page, items };
    },
  };
}

export type AnnouncementViews = ReturnType<typeof announcementViews>;

const viewOf = (
  { likes, comments, ...one }: Announcement,
  seen: { liked: boolean; educator: Member },
): AnnouncementView => ({ ...one, ...seen, reactions: { likes, comments } });

/** The position that a cursor names; a cursor of the id alone does not say whether the announcement was pinned. */
function placeOf({ before }: PageRequest): { pinned: boolean | null; id: ObjectId } | undefined {
  if (before === undefined) return undefined;
  const [id, pinned] = before.split('_').toReversed() as [ObjectId, string?];
  return { pinned: pinned === undefined ? null : pinned === 'true', id };
}
