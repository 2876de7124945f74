import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { courseNotFound } from '../contract.ts';
import { courseNotReady } from '../failures.ts';
import type { Course } from './courses.model.ts';
import type { CourseStore } from './courses.store.ts';
import type { StudentStore } from './students.store.ts';
import { mayManage, maySee, type Viewer } from './viewing.ts';

interface CourseDeps extends Pick<Core, 'database'> {
  store: CourseStore;
  students: StudentStore;
}

/** Whether a course meets the conditions of publication. */
export const isReady = ({ title, description, lessonCount }: Course): boolean =>
  title.trim() !== '' && description.trim() !== '' && lessonCount > 0;

/** Courses: who may see and manage them, and the lock under which they change. */
export function courseRules({ store, students, database }: CourseDeps) {
  /**
   * Returns the course and the caller's relation to it.
   * @throws courseNotFound, also if `isShown` hides it from the caller: by default, if they may not see it
   */
  async function visible(
    id: ObjectId,
    caller: UserCaller,
    isShown: (course: Course, viewer: Viewer) => boolean = maySee,
  ): Promise<{ course: Course; viewer: Viewer }> {
    const course = await store.find(id);
    if (!course) throw courseNotFound();
    const relation = await students.relationTo(id, caller.userId);
    const viewer = { mayManage: mayManage(course, caller), ...relation };
    if (!isShown(course, viewer)) throw courseNotFound();
    return { course, viewer };
  }

  return {
    visible,
    lock: store.lock,
    refreshCounts: store.refreshCounts,

    /** @throws courseNotFound, insufficientPermissions for another owner's course */
    async managed(id: ObjectId, caller: UserCaller): Promise<Course> {
      const { course, viewer } = await visible(id, caller);
      if (!viewer.mayManage) throw insufficientPermissions();
      return course;
    },

    /** Changes a course, its modules or its lessons in a transaction that locks the course. @throws courseNotFound */
    change: <Result>(
      id: ObjectId,
      work: (tx: Transaction, course: Course) => Promise<Result>,
    ): Promise<Result> =>
      database.transaction(async (tx) => {
        const course = await store.lock(tx, id);
        if (!course) throw courseNotFound();
        return work(tx, course);
      }),

    /**
     * Updates the counts after a change of lessons. @throws courseNotReady when a published course has no lessons left
     */
    async afterLessonsChanged(tx: Transaction, course: Course): Promise<void> {
      await store.refreshCounts(tx, course.id);
      if (course.status !== 'published') return;
      const now = await store.find(course.id, tx);
      if (now && !isReady(now)) throw courseNotReady();
    },
  };
}

export type CourseRules = ReturnType<typeof courseRules>;
