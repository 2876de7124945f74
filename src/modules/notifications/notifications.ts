import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { notificationsDeleted, notificationsRead } from './notifications.live.ts';
import type { Notification, NotificationFilter } from './notifications.model.ts';
import type { NotificationStore } from './notifications.store.ts';

export const notificationNotFound = notFound('Notification');

interface NotificationDeps extends Pick<Core, 'live' | 'clock'> {
  store: NotificationStore;
}

/** Operations of members on their own notifications; they cannot access those of other members. */
export function notificationRules({ store, live, clock }: NotificationDeps) {
  const unreadCount = async (userId: ObjectId): Promise<number> => (await store.tally(userId)).unread;

  /** Marks one or all as read, and tells the member's devices if that changed anything; returns how many were unread. */
  async function markRead(userId: ObjectId, id?: ObjectId): Promise<number> {
    const count = await store.markRead(userId, id, new Date(clock.now()));
    if (count > 0) {
      const read = { ids: id === undefined ? [] : [id], all: id === undefined };
      const message = notificationsRead({ ...read, unreadCount: await unreadCount(userId) });
      await live.send(liveChannel.user(userId), [message]);
    }
    return count;
  }

  return {
    pageOf: (userId: ObjectId, filter: NotificationFilter, page: PageRequest): Promise<Page<Notification>> =>
      store.pageOf(userId, filter, page),
    unreadCount,
    markRead,
    /** @throws notificationNotFound if it does not exist or belongs to another member */
    async get(userId: ObjectId, id: ObjectId): Promise<Notification> {
      const [found] = await store.findAll([id]);
      if (found?.userId !== userId) throw notificationNotFound();
      return found;
    },
    /** @throws notificationNotFound if it does not exist or belongs to another member */
    async mustBeOf(userId: ObjectId, id: ObjectId): Promise<void> {
      if ((await store.ownerOf(id)) !== userId) throw notificationNotFound();
    },
    /** Deletes a notification, and tells the member's devices. @throws notificationNotFound, as {@link get} */
    async delete(userId: ObjectId, id: ObjectId): Promise<void> {
      if (!(await store.delete(userId, id))) throw notificationNotFound();
      const message = notificationsDeleted({ ids: [id], unreadCount: await unreadCount(userId) });
      await live.send(liveChannel.user(userId), [message]);
    },
  };
}

export type NotificationRules = ReturnType<typeof notificationRules>;
