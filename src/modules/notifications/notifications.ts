import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Notification, NotificationFilter } from './notifications.model.ts';
import type { NotificationStore } from './notifications.store.ts';

export const notificationNotFound = notFound('Notification');

/** Operations of members on their own notifications; they cannot access those of other members. */
export function notificationRules({ store, clock }: { store: NotificationStore; clock: Clock }) {
  return {
    pageOf: (userId: ObjectId, filter: NotificationFilter, page: PageRequest): Promise<Page<Notification>> =>
      store.pageOf(userId, filter, page),
    unreadCount: async (userId: ObjectId): Promise<number> => (await store.tally(userId)).unread,
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
    async markRead(userId: ObjectId, id: ObjectId): Promise<void> {
      await store.markRead(userId, id, new Date(clock.now()));
    },
    markAllRead: (userId: ObjectId): Promise<number> =>
      store.markRead(userId, undefined, new Date(clock.now())),
    async delete(userId: ObjectId, id: ObjectId): Promise<void> {
      if (!(await store.delete(userId, id))) throw notificationNotFound();
    },
  };
}

export type NotificationRules = ReturnType<typeof notificationRules>;
