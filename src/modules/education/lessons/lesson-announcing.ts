import type { Transaction } from '../../../kernel/database/queries.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { FanOut } from '../../notifications/contract.ts';
import { lessonPublished } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseRules } from '../courses/courses.ts';
import type { Lesson } from './lessons.model.ts';

interface AnnouncingDeps {
  courses: Pick<CourseRules, 'visible'>;
  events: Events;
  fanOut: FanOut;
}

/** Returns whether a lesson is published now that never was: only this is announced. */
export const isFirstPublication = (before: Lesson, status: Lesson['status']): boolean =>
  before.status === 'draft' && status === 'published' && before.publishedAt === null;

/** Announcements of new lessons to the students of a course. */
export function lessonAnnouncing({ courses, events, fanOut }: AnnouncingDeps) {
  return {
    /** Counts the announcement of a lesson that is about to be published; returns whether the hourly limit withholds it. */
    async isWithheld(before: Lesson, status: Lesson['status'], caller: UserCaller): Promise<boolean> {
      if (!isFirstPublication(before, status)) return false;
      const { course } = await courses.visible(before.courseId, caller);
      return course.status === 'published' && !(await fanOut.admits('lessons', caller));
    },

    /** Announces a lesson to the students of its course. */
    async announce(tx: Transaction, course: Course, lesson: Lesson, isQuiet: boolean): Promise<void> {
      if (course.status !== 'published') return;
      await events.publish(tx, lessonPublished, {
        courseId: course.id,
        courseTitle: course.title,
        lessonId: lesson.id,
        lessonTitle: lesson.title,
        isQuiet,
      });
    },
  };
}

export type LessonAnnouncing = ReturnType<typeof lessonAnnouncing>;
