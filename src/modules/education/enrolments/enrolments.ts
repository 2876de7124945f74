import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Notifications } from '../../notifications/contract.ts';
import { topicOfCourse } from '../contract.ts';
import type { CourseStore } from '../courses/courses.store.ts';
import { notEnrolled } from '../failures.ts';
import type { Enrolment } from './enrolments.model.ts';
import type { EnrolmentStore } from './enrolments.store.ts';

interface EnrolmentDeps extends Pick<Core, 'database' | 'clock'> {
  courseStore: CourseStore;
  store: EnrolmentStore;
  notifications: Pick<Notifications, 'subscribeIn' | 'unsubscribeIn'>;
}

const LEFT_AT_ONCE = 500;

/** Enrolments in courses, leaving, and the subscriptions that accompany enrolments. */
export function enrolmentRules(deps: EnrolmentDeps) {
  const { courseStore, store, notifications, database, clock } = deps;

  return {
    /** Ends the enrolment and the subscription; keeps the progress and refunds nothing. @throws notEnrolled */
    async leave(courseId: ObjectId, userId: ObjectId): Promise<{ courseId: ObjectId }> {
      return database.transaction(async (tx) => {
        await courseStore.lock(tx, courseId);
        if (!(await store.end(tx, courseId, userId, clock.date()))) throw notEnrolled();
        await notifications.unsubscribeIn(tx, [{ topic: topicOfCourse(courseId), userId }]);
        return { courseId };
      });
    },

    /** Subscribes a member to the notifications of a course, unless they have left it. */
    async subscribe(tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<void> {
      if (!(await store.lock(tx, courseId, userId))) return;
      await notifications.subscribeIn(tx, [{ topic: topicOfCourse(courseId), userId }]);
    },

    /** Removes leftover subscriptions of members who have left a course. */
    async unsubscribeLeft(): Promise<void> {
      for (let after = { courseId: '', userId: '' }; ; ) {
        const left = await database.transaction(async (tx) => {
          const some = await store.lockLeft(tx, after, LEFT_AT_ONCE);
          const subscriptions = some.map(({ courseId, userId }) => ({
            topic: topicOfCourse(courseId),
            userId,
          }));
          await notifications.unsubscribeIn(tx, subscriptions);
          return some;
        });
        if (left.length < LEFT_AT_ONCE) return;
        after = left.at(-1) as typeof after;
      }
    },

    /** @throws notEnrolled */
    async mustBeEnrolled(courseId: ObjectId, userId: ObjectId): Promise<Enrolment> {
      const enrolment = await store.find(courseId, userId);
      if (enrolment?.leftAt !== null) throw notEnrolled();
      return enrolment;
    },
  };
}

export type EnrolmentRules = ReturnType<typeof enrolmentRules>;
