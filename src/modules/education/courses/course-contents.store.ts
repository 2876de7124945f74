import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface Deleted {
  id: ObjectId;
}

/**
 * SQL that deletes several lessons of a course and returns their ids. It waits for transactions that keep one of the
 * lessons, so that their writes about it can be erased afterwards.
 */
export const courseContentStore = {
  async deleteLessonsOfModule(tx: Transaction, moduleId: ObjectId): Promise<ObjectId[]> {
    const rows = await tx.all<Deleted>('delete from education.lesson where module_id = $1 returning id', [
      moduleId,
    ]);
    return rows.map(({ id }) => id);
  },
  async deleteSomeLessons(tx: Transaction, courseId: ObjectId, limit: number): Promise<ObjectId[]> {
    const rows = await tx.all<Deleted>(
      `delete from education.lesson where id in (
         select id from education.lesson where course_id = $1 limit $2) returning id`,
      [courseId, limit],
    );
    return rows.map(({ id }) => id);
  },
};

export type CourseContentStore = typeof courseContentStore;
