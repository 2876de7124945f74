import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface Deleted {
  id: ObjectId;
}

interface DeletedLesson extends Deleted {
  createdAt: Date;
  publishedAt: Date | null;
}

/**
 * SQL that deletes several lessons of a course and returns them. It waits for transactions that keep one of the
 * lessons, so that their writes about it can be erased afterwards.
 */
export const courseContentStore = {
  deleteLessonsOfModule: (tx: Transaction, moduleId: ObjectId): Promise<DeletedLesson[]> =>
    tx.all('delete from education.lesson where module_id = $1 returning id, created_at, published_at', [
      moduleId,
    ]),
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
