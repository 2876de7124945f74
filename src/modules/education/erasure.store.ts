import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';

const ROWS_AT_ONCE = 5_000;
/** Rows whose courses count them, and are locked for it. */
const COUNTED_AT_ONCE = 200;

/** Each takes a member's id, deletes some rows, and adjusts the counts of courses to them. */
const ERASURES = [
  `with gone as (
     delete from education.rating where user_id = $1 and course_id in (
       select course_id from education.rating where user_id = $1 limit ${COUNTED_AT_ONCE})
     returning course_id, rating)
   update education.course set rating_count = rating_count - 1, rating_sum = rating_sum - rating
   from gone where id = course_id`,
  `with gone as (
     delete from education.enrolment where user_id = $1 and course_id in (
       select course_id from education.enrolment where user_id = $1 limit ${COUNTED_AT_ONCE})
     returning course_id, left_at)
   update education.course set enrolled_count = enrolled_count - (gone.left_at is null)::integer
   from gone where id = course_id`,
  `delete from education.lesson_progress where user_id = $1 and lesson_id in (
     select lesson_id from education.lesson_progress where user_id = $1 limit ${ROWS_AT_ONCE})`,
  `delete from education.quiz_attempt where user_id = $1 and (lesson_id, attempt) in (
     select lesson_id, attempt from education.quiz_attempt where user_id = $1 limit ${ROWS_AT_ONCE})`,
];

/** Deletes a member's activity in courses, except certificates, in portions; may be repeated. */
export async function eraseActivity(database: Database, userId: ObjectId): Promise<void> {
  for (const erasure of ERASURES)
    while ((await database.transaction((tx) => tx.execute(erasure, [userId]))) > 0);
}
