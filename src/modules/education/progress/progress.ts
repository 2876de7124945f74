import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { type FieldFault, validationFailed } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { instantOf, MINUTE_MS } from '../../../kernel/time/time.ts';
import { courseCompleted, lessonCompleted, lessonStarted } from '../contract.ts';
import type { Course } from '../courses/courses.model.ts';
import type { Enrolment } from '../enrolments/enrolments.model.ts';
import type { EnrolmentStore } from '../enrolments/enrolments.store.ts';
import type { EnrolmentRules } from '../enrolments/enrolments.ts';
import { notEnrolled } from '../failures.ts';
import type { Lesson } from '../lessons/lessons.model.ts';
import type { KeepLesson } from '../lessons/lessons.ts';
import type { LessonProgress, StudiedCourse, StudiedLesson } from './progress.model.ts';
import type { ProgressInBody } from './progress.schemas.ts';
import type { ProgressStore } from './progress.store.ts';

interface ProgressDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: ProgressStore;
  enrolments: EnrolmentRules;
  keepLesson: KeepLesson;
  enrolmentStore: EnrolmentStore;
  /** Issues the certificate of a course that the member has just completed. */
  certify: (tx: Transaction, userId: ObjectId, courseId: ObjectId) => Promise<void>;
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

/** A member's progress in a course, as in a list of courses. */
export type ListedProgress = Omit<CourseProgress, 'courseId' | 'lessons'> &
  Pick<StudiedCourse, 'lastStudiedAt'>;

/** How far the clock of a client may be ahead. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

/** Courses whose completion a look at all of them records. */
const COMPLETED_AT_ONCE = 100;

/** Progress in lessons and courses; a completed lesson stays completed. */
export function progressRules(deps: ProgressDeps) {
  const { store, enrolments, enrolmentStore, keepLesson, certify, database, events, clock } = deps;

  /**
   * Marks the course as completed once all its lessons and quizzes are, and issues the certificate; lessons added later
   * do not revoke that.
   */
  async function completeCourse(tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<void> {
    if (!(await store.isComplete(tx, courseId, userId))) return;
    if (!(await enrolmentStore.complete(tx, courseId, userId, clock.date()))) return;
    await events.publish(tx, courseCompleted, { userId, courseId });
    await certify(tx, userId, courseId);
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
  async function completedAt(courseId: ObjectId, userId: ObjectId): Promise<Date | null> {
    const enrolment = await enrolments.mustBeEnrolled(courseId, userId);
    if (enrolment.completedAt) return enrolment.completedAt;
    await asEnrolled(courseId, userId, (tx) => completeCourse(tx, courseId, userId));
    return (await enrolments.mustBeEnrolled(courseId, userId)).completedAt;
  }

  /** Returns when an enrolled member completed a course in which they have made this progress. */
  const completionOf = async (
    { courseId, userId, completedAt: recorded }: Pick<Enrolment, 'courseId' | 'userId' | 'completedAt'>,
    { percentage, quizzesPassed, quizCount }: ProgressSummary,
  ): Promise<Date | null> =>
    recorded === null && percentage === 100 && quizzesPassed === quizCount
      ? completedAt(courseId, userId)
      : recorded;

  /** Returns when a member enrolled, before which they can have been in no lesson. */
  async function beginningOf(tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<Date> {
    const { enrolledAt } = (await enrolmentStore.find(courseId, userId, tx)) as Enrolment;
    return enrolledAt;
  }

  /** Returns a member's progress in each course of these enrolments, which must all be the member's. */
  async function ofEnrolments(all: Enrolment[], userId: ObjectId): Promise<Map<ObjectId, ListedProgress>> {
    const studied = await store.ofCourses(
      all.map(({ courseId }) => courseId),
      userId,
    );
    const studiedOf = new Map(studied.map(({ courseId, ...counts }) => [courseId, counts]));
    const progressOf = new Map<ObjectId, ListedProgress>();
    for (const enrolment of all) {
      const counts = studiedOf.get(enrolment.courseId) as Omit<StudiedCourse, 'courseId'>;
      const summary = { ...counts, percentage: percentageOf(counts) };
      const completedAt = await completionOf(enrolment, summary).catch(nullIfNotEnrolled);
      progressOf.set(enrolment.courseId, { ...summary, completedAt });
    }
    return progressOf;
  }

  return {
    completedAt,
    completeCourse,
    asEnrolled,
    ofEnrolments,

    /** Completes a member's courses in which nothing is left to do, as {@link completedAt} would: at most 100 at once. */
    async completeAllOf(userId: ObjectId): Promise<void> {
      for (const courseId of await store.completableOf(userId, COMPLETED_AT_ONCE))
        await completedAt(courseId, userId).catch(nullIfNotEnrolled);
    },

    /** Runs an enrolled member's work on a lesson, which is not deleted meanwhile. @throws lessonNotFound, notEnrolled */
    inLesson,

    /** Returns the faults of a position that its shape cannot express. */
    faultsOf: ({ at }: Pick<Partial<ProgressInBody>, 'at'>): FieldFault[] => timeFaults(at, clock.date()),
    /**
     * Records a member's position in a lesson, and its completion. A position that is older than the stored one is not
     * recorded, such as one that a device sends late.
     * @throws lessonNotFound, notEnrolled, 422 for a position of the future
     */
    update(
      lesson: Lesson,
      course: Course,
      userId: ObjectId,
      { completed = false, ...reported }: ProgressInBody,
    ): Promise<LessonProgress> {
      const now = clock.date();
      const position = positionOf(reported, lesson, now);
      return inLesson(lesson.id, course.id, userId, async (tx) => {
        const before = await store.find(userId, lesson.id, tx);
        const isOutdated = before && reported.at !== undefined && position.at < before.updatedAt;
        const { positionSeconds } = isOutdated ? before : position;
        const since = before?.updatedAt ?? (await beginningOf(tx, course.id, userId));
        const at = new Date(Math.max(since.getTime(), position.at.getTime()));
        const isCompletedNow = completed && !before?.completed;
        const completedAt = isCompletedNow ? now : null;
        const data = { userId, courseId: course.id, lessonId: lesson.id };
        await store.put(tx, { ...data, positionSeconds, completedAt, at, now });
        if (!before) await events.publish(tx, lessonStarted, data);
        if (isCompletedNow) await events.publish(tx, lessonCompleted, data);
        if (completed) await completeCourse(tx, course.id, userId);
        return (await store.find(userId, lesson.id, tx)) as LessonProgress;
      });
    },

    /** @throws notEnrolled */
    async ofCourse(course: Course, userId: ObjectId): Promise<CourseProgress> {
      const enrolment = await enrolments.mustBeEnrolled(course.id, userId);
      const studied = await store.ofCourse(course.id, userId);
      const summary = summaryOf(studied);
      return {
        courseId: course.id,
        ...summary,
        completedAt: await completionOf(enrolment, summary),
        lessons: studied.map(({ hasQuiz, isQuizPassed, ...lesson }) => lesson),
      };
    },
  };
}

const timeFaults = (at: string | undefined, now: Date): FieldFault[] =>
  at !== undefined && instantOf(at).getTime() > now.getTime() + CLOCKS_DIFFER_MS
    ? [{ field: 'at', message: 'must not be in the future' }]
    : [];

/**
 * Returns the position to store: within the video, if there is one, and not of the future.
 * @throws 422 for a position of the future
 */
function positionOf(
  { positionSeconds, at }: Omit<ProgressInBody, 'completed'>,
  { hasVideo, duration }: Lesson,
  now: Date,
): { positionSeconds: number; at: Date } {
  const faults = timeFaults(at, now);
  if (faults.length > 0) throw validationFailed(faults);
  const reportedMs = at === undefined ? now.getTime() : instantOf(at).getTime();
  return {
    positionSeconds: hasVideo ? Math.min(positionSeconds, duration) : positionSeconds,
    at: new Date(Math.min(reportedMs, now.getTime())),
  };
}

export type ProgressRules = ReturnType<typeof progressRules>;

type ProgressSummary = Omit<CourseProgress, 'courseId' | 'completedAt' | 'lessons'>;

/** Rounded down, so that 100 means that no lesson is left. */
const percentageOf = ({
  lessonsCompleted,
  lessonCount,
}: Pick<ProgressSummary, 'lessonsCompleted' | 'lessonCount'>): number =>
  lessonCount === 0 ? 0 : Math.floor((100 * lessonsCompleted) / lessonCount);

/** Who leaves a course while it is listed has not completed it. */
function nullIfNotEnrolled(error: unknown): null {
  if (!notEnrolled.is(error)) throw error;
  return null;
}

/** Summarizes the published lessons of a course and their quizzes. */
export function summaryOf(
  lessons: Pick<StudiedLesson, 'completed' | 'hasQuiz' | 'isQuizPassed'>[],
): ProgressSummary {
  const lessonsCompleted = lessons.filter(({ completed }) => completed).length;
  const lessonCount = lessons.length;
  const percentage = percentageOf({ lessonsCompleted, lessonCount });
  const quizzesPassed = lessons.filter(({ isQuizPassed }) => isQuizPassed).length;
  const quizCount = lessons.filter(({ hasQuiz }) => hasQuiz).length;
  return { lessonsCompleted, lessonCount, percentage, quizzesPassed, quizCount };
}
