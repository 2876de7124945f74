import { lazy } from '../../../kernel/concurrency/lazy.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { FanOut } from '../../notifications/contract.ts';
import { lessonPublished } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { Lesson } from './lessons.model.ts';

interface AnnouncingDeps {
  events: Events;
  fanOut: FanOut;
}

/** Whether a change publishes a lesson for the first time, which is the only publication that is announced. */
const isFirstPublication = (before: Lesson, after: Lesson): boolean =>
  before.status === 'draft' && after.status === 'published' && before.publishedAt === null;

/** Announcements of new lessons to the students of a course. */
export function lessonAnnouncing({ events, fanOut }: AnnouncingDeps) {
  return {
    /**
     * Returns a function that asks once whether the hourly limit lets the caller notify the students, however often the
     * transaction that asks is repeated.
     */
    admission: (caller: UserCaller) => lazy(() => fanOut.admits('lessons', caller)),
    /**
     * Announces a lesson to the students of its course if it is published for the first time; returns whether the
     * hourly limit suppresses the notifications. The course is locked, so that each announcement is counted once.
     */
    async announce(
      tx: Transaction,
      course: Course,
      { before, after }: { before: Lesson; after: Lesson },
      isAdmitted: () => Promise<boolean>,
    ): Promise<boolean> {
      if (course.status !== 'published' || !isFirstPublication(before, after)) return false;
      const isQuiet = !(await isAdmitted());
      await events.publish(tx, lessonPublished, {
        courseId: course.id,
        lessonId: after.id,
        isQuiet,
      });
      return isQuiet;
    },
  };
}

export type LessonAnnouncing = ReturnType<typeof lessonAnnouncing>;
