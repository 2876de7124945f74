import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { OwnRating } from './courses.model.ts';

const coursesOfStudent = statement<{ courseId: ObjectId }>(
  'education.courses-of-student',
  `select course_id as "courseId" from unnest($1::text[]) as asked (course_id)
   join education.enrolment using (course_id) where user_id = $2 and left_at is null`,
);

const enrolmentOf = statement<{ isCurrent: boolean }>(
  'education.enrolment-of-student',
  `select left_at is null as "isCurrent" from education.enrolment where course_id = $1 and user_id = $2`,
);

const ownRating = statement<OwnRating>(
  'education.own-rating',
  'select rating, review from education.rating where course_id = $1 and user_id = $2',
);

/** SQL of the students of courses: the members who are enrolled in them. */
export function studentStore(database: Database) {
  return {
    /** Returns those of the courses in which a member is enrolled. */
    async enrolledIn(courseIds: ObjectId[], userId: ObjectId): Promise<Set<ObjectId>> {
      const rows = await database.all(coursesOfStudent, [courseIds, userId]);
      return new Set(rows.map(({ courseId }) => courseId));
    },
    /** Returns whether a member is enrolled in a course, or was. */
    async relationTo(
      courseId: ObjectId,
      userId: ObjectId,
    ): Promise<{ isEnrolled: boolean; hasLeft: boolean }> {
      const enrolment = await database.first(enrolmentOf, [courseId, userId]);
      return { isEnrolled: enrolment?.isCurrent === true, hasLeft: enrolment?.isCurrent === false };
    },
    /** Returns a member's rating of a course; null if they have given none. */
    ratingOf: async (courseId: ObjectId, userId: ObjectId): Promise<OwnRating | null> =>
      (await database.first(ownRating, [courseId, userId])) ?? null,
    /** Returns whether any member is or was enrolled in a course. */
    everEnrolled: async (courseId: ObjectId, queries: Queries): Promise<boolean> =>
      (await queries.first('select 1 as found from education.enrolment where course_id = $1 limit 1', [
        courseId,
      ])) !== undefined,
  };
}

export type StudentStore = ReturnType<typeof studentStore>;
