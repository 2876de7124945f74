import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { courseCompleted, lessonCompleted, lessonStarted } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { EnrolmentStore } from '../enrolments/enrolments.store.ts';
import type { EnrolmentRules } from '../enrolments/enrolments.ts';
import { notEnrolled } from '../failures.ts';
import type { Lesson } from '../lessons/lessons.model.ts';
import type { KeepLesson } from '../lessons/lessons.ts';
import type { LessonProgress, StudiedLesson } from './progress.model.ts';
import type { ProgressStore } from './progress.store.ts';

interface ProgressDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: ProgressStore;
  enrolments: EnrolmentRules;
  keepLesson: KeepLesson;
  enrolmentStore: EnrolmentStore;
}

/** A member's progress in a course. */
export interface CourseProgress {
  courseId: ObjectId;
  lessonsCompleted: number;
  lessonCount: number;
  /** 0 to 100, rounded down, so that 100 means complete. */
  percentage: number;
  quizzesPassed: number;
  quizCount: number;
  completedAt: Date | null;
  lessons: LessonProgress[];
}

/** Progress in lessons and courses; a completed lesson stays completed. */
export function progressRules(deps: ProgressDeps) {
  const { store, enrolments, enrolmentStore, keepLesson, database, events, clock } = deps;

  /** Marks the course as completed once all its lessons and quizzes are; lessons added later do not revoke that. */
  async function completeCourse(
    tx: Transaction,
    course: Pick<Course, 'id' | 'title'>,
    userId: ObjectId,
  ): Promise<void> {
    if (!(await store.isComplete(tx, course.id, userId))) return;
    if (!(await enrolmentStore.complete(tx, course.id, userId, clock.date()))) return;
    await events.publish(tx, courseCompleted, { userId, courseId: course.id });
  }

  /**
   * Runs work for an enrolled member, serialized with their other work in the course.
   * @param first runs before the enrolment is locked: courses and lessons are locked before enrolments
   * @throws notEnrolled
   */
  const asEnrolled = <Result>(
    courseId: ObjectId,
    userId: ObjectId,
    work: (tx: Transaction) => Promise<Result>,
    { first }: { first?: (tx: Transaction) => Promise<unknown> } = {},
  ): Promise<Result> =>
    database.transaction(async (tx) => {
      await first?.(tx);
      if (!(await enrolmentStore.lock(tx, courseId, userId))) throw notEnrolled();
      return work(tx);
    });

  const inLesson = <Result>(
    lessonId: ObjectId,
    courseId: ObjectId,
    userId: ObjectId,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> => asEnrolled(courseId, userId, work, { first: (tx) => keepLesson(tx, lessonId) });

  /**
   * Returns when the member completed the course. Removing or hiding a lesson, or lowering the passing score of a quiz,
   * may complete the course of members who did nothing since; it is then completed here.
   * @throws notEnrolled
   */
  async function completedAt(course: Pick<Course, 'id' | 'title'>, userId: ObjectId): Promise<Date | null> {
    const enrolment = await enrolments.mustBeEnrolled(course.id, userId);
    if (enrolment.completedAt) return enrolment.completedAt;
    await asEnrolled(course.id, userId, (tx) => completeCourse(tx, course, userId));
    return (await enrolments.mustBeEnrolled(course.id, userId)).completedAt;
  }

  return {
    completedAt,
    completeCourse,
    asEnrolled,

    /**
     * Runs an enrolled member's work on a lesson, which cannot be deleted until the transaction ends.
     * @throws lessonNotFound, notEnrolled
     */
    inLesson,

    /** Records a member's position in a lesson, and its completion. @throws lessonNotFound, notEnrolled */
    update(
      lesson: Lesson,
      course: Course,
      userId: ObjectId,
      { positionSeconds, completed = false }: { positionSeconds: number; completed?: boolean },
    ): Promise<LessonProgress> {
      return inLesson(lesson.id, course.id, userId, async (tx) => {
        const before = await store.find(userId, lesson.id, tx);
        const at = clock.date();
        const isCompletedNow = completed && !before?.completed;
        const completedAt = isCompletedNow ? at : null;
        const data = { userId, courseId: course.id, lessonId: lesson.id };
        await store.put(tx, { ...data, positionSeconds, completedAt, at });
        if (!before) await events.publish(tx, lessonStarted, data);
        if (isCompletedNow) await events.publish(tx, lessonCompleted, data);
        if (completed) await completeCourse(tx, course, userId);
        return (await store.find(userId, lesson.id, tx)) as LessonProgress;
      });
    },

    /** @throws notEnrolled */
    async ofCourse(course: Course, userId: ObjectId): Promise<CourseProgress> {
      const enrolment = await enrolments.mustBeEnrolled(course.id, userId);
      const studied = await store.ofCourse(course.id, userId);
      const summary = summaryOf(studied);
      const { percentage, quizzesPassed, quizCount } = summary;
      const isOpen = enrolment.completedAt === null && percentage === 100 && quizzesPassed === quizCount;
      return {
        courseId: course.id,
        ...summary,
        completedAt: isOpen ? await completedAt(course, userId) : enrolment.completedAt,
        lessons: studied.map(({ hasQuiz, isQuizPassed, ...lesson }) => lesson),
      };
    },
  };
}

export type ProgressRules = ReturnType<typeof progressRules>;

/** Summarizes the published lessons of a course and their quizzes. */
export function summaryOf(
  lessons: Pick<StudiedLesson, 'completed' | 'hasQuiz' | 'isQuizPassed'>[],
): Omit<CourseProgress, 'courseId' | 'completedAt' | 'lessons'> {
  const lessonsCompleted = lessons.filter(({ completed }) => completed).length;
  const lessonCount = lessons.length;
  const percentage = lessonCount === 0 ? 0 : Math.floor((100 * lessonsCompleted) / lessonCount);
  const quizzesPassed = lessons.filter(({ isQuizPassed }) => isQuizPassed).length;
  const quizCount = lessons.filter(({ hasQuiz }) => hasQuiz).length;
  return { lessonsCompleted, lessonCount, percentage, quizzesPassed, quizCount };
}
