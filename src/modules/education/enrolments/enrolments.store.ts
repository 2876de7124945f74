import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Enrolment } from './enrolments.model.ts';

const COLUMNS = `course_id as "courseId", user_id as "userId", paid_keys as "paidKeys",
  transaction_id as "transactionId", enrolled_at as "enrolledAt", left_at as "leftAt", completed_at as "completedAt"`;

const findEnrolment = statement<Enrolment>(
  'education.find-enrolment',
  `select ${COLUMNS} from education.enrolment where course_id = $1 and user_id = $2`,
);

/** Starts an enrolment, or restarts it after leaving; returns no row if one is active. */
const begin = statement<Enrolment>(
  'education.begin-enrolment',
  `with begun as (
     insert into education.enrolment as known (course_id, user_id, paid_keys, transaction_id, enrolled_at)
     values ($1, $2, $3, $4, $5)
     on conflict (course_id, user_id) do update
       set left_at = null, enrolled_at = excluded.enrolled_at, paid_keys = known.paid_keys + excluded.paid_keys,
         transaction_id = coalesce(excluded.transaction_id, known.transaction_id)
       where known.left_at is not null
     returning *),
   counted as (
     update education.course set enrolled_count = enrolled_count + 1 where id in (select course_id from begun))
   select ${COLUMNS} from begun`,
);
const end = statement<{ courseId: ObjectId }>(
  'education.end-enrolment',
  `with ended as (
     update education.enrolment set left_at = $3 where course_id = $1 and user_id = $2 and left_at is null
     returning course_id)
   update education.course set enrolled_count = enrolled_count - 1 from ended where id = ended.course_id
   returning id as "courseId"`,
);

const lockEnrolment = statement<{ enrolled: boolean }>(
  'education.lock-enrolment',
  `select left_at is null as enrolled from education.enrolment where course_id = $1 and user_id = $2
   for no key update`,
);
const lockLeft = statement<{ courseId: ObjectId; userId: ObjectId }>(
  'education.lock-left-enrolments',
  `select course_id as "courseId", user_id as "userId" from education.enrolment
   where left_at is not null and (course_id, user_id) > ($1::text, $2::text)
   order by course_id, user_id limit $3 for no key update`,
);

/** SQL of enrolments. */
export function enrolmentStore(database: Database) {
  return {
    /** Returns a current or former enrolment. */
    find: (
      courseId: ObjectId,
      userId: ObjectId,
      queries: Queries = database,
    ): Promise<Enrolment | undefined> => queries.first(findEnrolment, [courseId, userId]),
    begin: (
      tx: Transaction,
      enrolment: Pick<Enrolment, 'courseId' | 'userId' | 'paidKeys' | 'transactionId' | 'enrolledAt'>,
    ): Promise<Enrolment | undefined> =>
      tx.first(begin, [
        enrolment.courseId,
        enrolment.userId,
        enrolment.paidKeys,
        enrolment.transactionId,
        enrolment.enrolledAt,
      ]),
    /** Ends an enrolment, with the course locked; returns whether there was one. */
    end: async (tx: Transaction, courseId: ObjectId, userId: ObjectId, at: Date): Promise<boolean> =>
      (await tx.first(end, [courseId, userId, at])) !== undefined,
    /** Locks a member's enrolment to serialize their writes in a course; returns whether it is active. */
    lock: async (tx: Transaction, courseId: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await tx.first(lockEnrolment, [courseId, userId]))?.enrolled === true,
    /** Locks ended enrolments in the order of courses and members, after the given one; served by enrolment_left. */
    lockLeft: (
      tx: Transaction,
      after: Pick<Enrolment, 'courseId' | 'userId'>,
      limit: number,
    ): Promise<Pick<Enrolment, 'courseId' | 'userId'>[]> =>
      tx.all(lockLeft, [after.courseId, after.userId, limit]),
    /** Returns the courses in which a member is enrolled, except drafts and deleted ones. */
    coursesOf: async (userId: ObjectId): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          `select c.id from education.enrolment e join education.course c on c.id = e.course_id
           where e.user_id = $1 and e.left_at is null
             and c.status <> 'draft' and c.deleted_at is null`,
          [userId],
        )
      ).map((row) => row.id),
    /** Returns the numbers of courses in which a member is enrolled and of lessons they have completed. */
    figuresOf: async (userId: ObjectId): Promise<{ coursesEnrolled: number; lessonsCompleted: number }> =>
      only(
        await database.all<{ coursesEnrolled: number; lessonsCompleted: number }>(
          `select
           (select count(*) from education.enrolment where user_id = $1 and left_at is null) as courses_enrolled,
           (select count(*) from education.lesson_progress where user_id = $1 and completed_at is not null)
             as lessons_completed`,
          [userId],
        ),
      ),
    /**
     * Returns a member's enrolments, newest first, without drafts of other owners unless `seesDrafts`; served by
     * enrolment_by_member.
     */
    pageOf: (userId: ObjectId, seesDrafts: boolean, request: PageRequest): Promise<Page<Enrolment>> =>
      readPage(
        database,
        {
          columns: COLUMNS,
          from: `education.enrolment join education.course on id = course_id
            where user_id = $1 and left_at is null and (status <> 'draft' or owner_id = $1 or $2)`,
          orderBy: 'enrolled_at desc, course_id desc',
          moment: 'enrolled_at, course_id',
        },
        [userId, seesDrafts],
        request,
      ),
    /** Records the completion of the course; returns false if it was recorded before. */
    complete: async (tx: Transaction, courseId: ObjectId, userId: ObjectId, at: Date): Promise<boolean> =>
      (await tx.execute(
        `update education.enrolment set completed_at = $3
         where course_id = $1 and user_id = $2 and completed_at is null and left_at is null`,
        [courseId, userId, at],
      )) > 0,
  };
}

export type EnrolmentStore = ReturnType<typeof enrolmentStore>;
