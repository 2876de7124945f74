import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { coursePublished } from '../contract.ts';
import type { CourseStore } from './courses.store.ts';

interface NoticeDeps extends Pick<Core, 'clock'> {
  store: Pick<CourseStore, 'announcedAt' | 'announce'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Tells the subscribers of courses of each one once. */
export const courseNotices = ({ store, notifications, clock }: NoticeDeps) => ({
  /** Returns whether subscribers are to be told of a course that is published, which counts if `isAdmitted` says so. */
  async announces(tx: Transaction, id: ObjectId, isAdmitted: () => Promise<boolean>): Promise<boolean> {
    if ((await store.announcedAt(tx, id)) || !(await isAdmitted())) return false;
    await store.announce(tx, id, clock.date());
    return true;
  },
  /** Withdraws the notifications of a course that is hidden or deleted. */
  async withdraw(tx: Transaction, courseId: ObjectId): Promise<void> {
    const since = await store.announcedAt(tx, courseId);
    if (since) await notifications.withdrawIn(tx, [{ of: coursePublished, about: { courseId }, since }]);
  },
});

export type CourseNotices = ReturnType<typeof courseNotices>;
