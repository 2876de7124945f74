import { batching } from '../../../kernel/concurrency/batching.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { announcementLiked } from '../contract.ts';
import { announcementNotFound } from '../failures.ts';
import type { LikeStore } from './announcement-likes.store.ts';
import type { Announcement, Like } from './announcements.model.ts';

const ERASED_AT_ONCE = 500;

interface LikeDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: LikeStore;
}

/** Likes of announcements. Concurrent ones are batched, since a popular announcement gets many at once. */
export function announcementLikes({ store, database, events, clock }: LikeDeps) {
  /** Batches concurrent likes into one transaction; each call returns the resulting count. */
  const together = (write: (tx: Transaction, likes: Like[]) => Promise<Like[]>, isLike: boolean) =>
    batching<Like & { educatorId: ObjectId }, number | undefined>(
      async (likes) => {
        const unique = [...new Map(likes.map((one) => [one.id + one.userId, one])).values()];
        const counts = await database.transaction(async (tx) => {
          const changed = new Set((await write(tx, unique)).map(({ id, userId }) => id + userId));
          const newLikes = unique.filter(({ id, userId }) => isLike && changed.has(id + userId));
          const data = newLikes.map(({ id, userId, educatorId }) => ({
            announcementId: id,
            userId,
            educatorId,
          }));
          await events.publish(tx, announcementLiked, ...data);
          return store.likesOf([...new Set(unique.map(({ id }) => id))], tx);
        });
        return likes.map(({ id }) => counts.get(id));
      },
      { maxSize: 200, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable },
    );
  const likeTogether = together((tx, likes) => store.like(tx, likes, clock.date()), true);
  const unlikeTogether = together((tx, likes) => store.unlike(tx, likes), false);

  return {
    /** @throws announcementNotFound when it was deleted concurrently */
    async like({ id, educatorId }: Announcement, { userId }: UserCaller, isLike: boolean) {
      const likes = await (isLike ? likeTogether : unlikeTogether)({ id, userId, educatorId });
      if (likes === undefined) throw announcementNotFound();
      return { announcementId: id, liked: isLike, likes };
    },

    /** Deletes the likes of a deleted member. */
    async erase(userId: ObjectId): Promise<void> {
      const unlikeSome = async (tx: Transaction): Promise<number> =>
        (await store.unlike(tx, await store.someLikedBy(tx, userId, ERASED_AT_ONCE))).length;
      while ((await database.transaction(unlikeSome)) > 0);
    },
  };
}

export type AnnouncementLikes = ReturnType<typeof announcementLikes>;
