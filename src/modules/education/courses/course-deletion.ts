import { Type } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../../kernel/operations/shapes.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import type { Media } from '../../media/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import { courseChanged } from '../contract.ts';
import type { CourseContentStore } from './course-contents.store.ts';
import type { CourseNotices } from './course-notices.ts';
import type { CourseStore } from './courses.store.ts';
import type { CourseRules } from './courses.ts';
import type { LessonNotices } from './lesson-notices.ts';
import type { StudentStore } from './students.store.ts';

interface DeletionDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock'> {
  courses: Pick<CourseRules, 'change'>;
  courseStore: CourseStore;
  contents: Pick<CourseContentStore, 'deleteSomeLessons'>;
  students: Pick<StudentStore, 'everEnrolled'>;
  media: Pick<Media, 'erase'>;
  notices: Pick<LessonNotices, 'withdrawUnstudied'>;
  ofCourses: Pick<CourseNotices, 'withdraw'>;
  moderation: Pick<Moderation, 'intervene'>;
}

const eraseCourse = jobKind('education.erase-course', {
  version: 1,
  data: Type.Object({ courseId: ObjectIdShape }),
});

const LESSONS_AT_ONCE = 200;
const COURSES_AT_ONCE = 100;

/** Deletion of courses: effective at once, but erased in the background, because a course may be large. */
export function courseDeletion(deps: DeletionDeps) {
  const {
    courses,
    courseStore,
    contents,
    students,
    media,
    notices,
    ofCourses,
    moderation,
    database,
    events,
    jobs,
    clock,
  } = deps;

  /**
   * Deletes some lessons of a deleted course, or the course itself once it has none; returns whether lessons were
   * deleted.
   */
  const eraseSome = (courseId: ObjectId) =>
    database.transaction(async (tx: Transaction): Promise<boolean> => {
      const deleted = await contents.deleteSomeLessons(tx, courseId, LESSONS_AT_ONCE);
      const [first] = deleted;
      if (!first) {
        await courseStore.erase(tx, courseId);
        return false;
      }
      const lessonIds = deleted.map(({ id }) => id);
      const videos = await media.erase(tx, lessonIds);
      await notices.withdrawUnstudied(tx, deleted, { ownerId: first.ownerId, videos });
      return true;
    });

  async function erase(courseId: ObjectId): Promise<void> {
    while (await eraseSome(courseId));
  }

  return {
    jobs: [job(eraseCourse, { concurrency: 1, run: ({ courseId }) => erase(courseId) })],

    /** Deletes the course, or archives it for its students if it ever had enrolments. @throws courseNotFound */
    delete: (id: ObjectId, actor: Actor): Promise<{ id: ObjectId; status: 'deleted' | 'archived' }> =>
      courses.change(id, async (tx, course) => {
        await ofCourses.withdraw(tx, id);
        const status = (await students.everEnrolled(id, tx)) ? 'archived' : 'deleted';
        if (status === 'archived')
          await courseStore.update(tx, { ...course, status, updatedAt: clock.date() });
        else {
          await courseStore.markDeleted(tx, id, clock.date());
          await jobs.enqueue(tx, eraseCourse, [{ courseId: id }]);
        }
        await events.publish(tx, courseChanged, { courseId: id });
        const { ownerId: authorId, title: name } = course;
        const removal = { kind: 'course', subjectId: id, authorId, action: 'removed', name } as const;
        await moderation.intervene(tx, actor, removal);
        return { id, status };
      }),

    /** Erases deleted courses whose job has failed for good. */
    async finish(): Promise<void> {
      for (const courseId of await courseStore.findDeleted(COURSES_AT_ONCE)) await erase(courseId);
    },
  };
}

export type CourseDeletion = ReturnType<typeof courseDeletion>;
