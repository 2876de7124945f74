import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { NoticedLesson } from './course-modules.model.ts';

const DELETED = 'l.id, l.status, l.duration, l.created_at, l.published_at';

/**
 * SQL that deletes several lessons of a course and returns them. It waits for transactions that keep one of the
 * lessons, so that their writes about it can be erased afterwards.
 */
export const courseContentStore = {
  deleteLessonsOfModule: (tx: Transaction, moduleId: ObjectId): Promise<NoticedLesson[]> =>
    tx.all(`delete from education.lesson l where module_id = $1 returning ${DELETED}`, [moduleId]),
  /** Returns them with the owner of the course. */
  deleteSomeLessons: (
    tx: Transaction,
    courseId: ObjectId,
    limit: number,
  ): Promise<(NoticedLesson & { ownerId: ObjectId })[]> =>
    tx.all(
      `delete from education.lesson l using education.course c where c.id = l.course_id and l.id in (
         select id from education.lesson where course_id = $1 limit $2) returning ${DELETED}, c.owner_id`,
      [courseId, limit],
    ),
};

export type CourseContentStore = typeof courseContentStore;
