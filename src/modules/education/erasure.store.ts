import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Each takes a member's id, and adjusts the counts of courses to the deleted rows. */
const ERASURES = [
  `with gone as (delete from education.rating where user_id = $1 returning course_id, rating)
   update education.course set rating_count = rating_count - 1, rating_sum = rating_sum - rating
   from gone where id = course_id`,
  `with gone as (delete from education.enrolment where user_id = $1 returning course_id, left_at)
   update education.course set enrolled_count = enrolled_count - 1
   from gone where id = course_id and gone.left_at is null`,
  'delete from education.lesson_progress where user_id = $1',
  'delete from education.quiz_attempt where user_id = $1',
];

/** Erases a deleted member's activity in courses; their own courses remain for the students. */
export async function eraseMember(tx: Transaction, userId: ObjectId): Promise<void> {
  for (const erasure of ERASURES) await tx.execute(erasure, [userId]);
}
