import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { SavedProgress, StudiedCourse, StudiedLesson } from './progress.model.ts';

/** A member's position in a lesson, written with the enrolment locked. */
export interface ProgressUpdate {
  userId: ObjectId;
  lessonId: ObjectId;
  courseId: ObjectId;
  positionSeconds: number;
  completedAt: Date | null;
  /** When the member was at the position. */
  at: Date;
  /** When it is written; of the first time, this is when the member began the lesson. */
  now: Date;
}

/** The stored position in the lesson `l`, within its present video: a shorter one may have replaced a longer one. */
const POSITION = `least(coalesce(p.position_seconds, 0), case when l.has_video then l.duration end)`;

const findProgress = statement<SavedProgress>(
  'education.find-progress',
  `select p.lesson_id as "lessonId", ${POSITION} as "positionSeconds", p.completed_at is not null as completed,
     p.completed_at as "completedAt", p.updated_at as "updatedAt"
   from education.lesson_progress p join education.lesson l on l.id = p.lesson_id
   where p.user_id = $1 and p.lesson_id = $2`,
);
const put = statement<never>(
  'education.put-progress',
  `with written as (
     insert into education.lesson_progress as known
       (user_id, lesson_id, course_id, position_seconds, started_at, updated_at, completed_at)
     values ($1, $2, $3, $4, $7, $6, $5)
     on conflict (user_id, lesson_id) do update set position_seconds = excluded.position_seconds,
       updated_at = excluded.updated_at, completed_at = coalesce(known.completed_at, excluded.completed_at)
     returning xmax = 0 as is_new)
   update education.lesson set view_count = view_count + 1 where id = $2 and exists (select from written where is_new)`,
);
const ofCourse = statement<StudiedLesson>(
  'education.progress-of-course',
  `select l.id as "lessonId", ${POSITION} as "positionSeconds",
     p.completed_at is not null as completed, p.completed_at as "completedAt",
     q.lesson_id is not null as "hasQuiz",
     q.lesson_id is not null and exists (select from education.quiz_attempt a
       where a.lesson_id = l.id and a.user_id = $2 and a.passed) as "isQuizPassed"
   from education.lesson l join education.module m on m.id = l.module_id
   left join education.quiz q on q.lesson_id = l.id
   left join education.lesson_progress p on p.lesson_id = l.id and p.user_id = $2
   where l.course_id = $1 and l.status = 'published' order by m.position, l.position`,
);
const ofCourses = statement<StudiedCourse>(
  'education.progress-of-courses',
  `select asked.id as "courseId", counted.*,
     (select max(greatest(p.updated_at, p.started_at, p.completed_at)) from education.lesson_progress p
       where p.user_id = $2 and p.course_id = asked.id) as "lastStudiedAt"
   from unnest($1::text[]) as asked (id) cross join lateral (
     select count(*) as "lessonCount", count(p.completed_at) as "lessonsCompleted", count(q.lesson_id) as "quizCount",
       count(*) filter (where q.lesson_id is not null and exists (select from education.quiz_attempt a
         where a.lesson_id = l.id and a.user_id = $2 and a.passed)) as "quizzesPassed"
     from education.lesson l left join education.quiz q on q.lesson_id = l.id
     left join education.lesson_progress p on p.lesson_id = l.id and p.user_id = $2 and p.course_id = asked.id
     where l.course_id = asked.id and l.status = 'published') counted`,
);
/** Whether the member `$2` has completed the lesson `l` and passed its quiz `q`, if it has one. */
const IS_DONE = `exists (select from education.lesson_progress p
    where p.lesson_id = l.id and p.user_id = $2 and p.completed_at is not null)
  and (q.lesson_id is null or exists (select from education.quiz_attempt a
    where a.lesson_id = l.id and a.user_id = $2 and a.passed))`;
/** Selects whether every published lesson is completed and every quiz in them passed. */
const isComplete = statement<{ complete: boolean }>(
  'education.is-complete',
  `select count(*) > 0 and bool_and(${IS_DONE}) as complete
   from education.lesson l left join education.quiz q on q.lesson_id = l.id
   where l.course_id = $1 and l.status = 'published'`,
);
/** Each course is left at its first lesson that is not done, so that many courses under way cost little. */
const completable = statement<{ id: ObjectId }>(
  'education.completable-courses',
  `select c.id from education.enrolment e join education.course c on c.id = e.course_id
   where e.user_id = $2 and e.left_at is null and e.completed_at is null
     and c.status <> 'draft' and c.deleted_at is null and c.lesson_count > 0
     and not exists (select from education.lesson l left join education.quiz q on q.lesson_id = l.id
       where l.course_id = c.id and l.status = 'published' and not (${IS_DONE}))
   order by e.enrolled_at desc limit $1`,
);

/** SQL of progress in lessons. */
export function progressStore(database: Database) {
  return {
    find: (userId: ObjectId, lessonId: ObjectId, queries: Queries): Promise<SavedProgress | undefined> =>
      queries.first(findProgress, [userId, lessonId]),
    async put(tx: Transaction, update: ProgressUpdate): Promise<void> {
      const { userId, lessonId, courseId, positionSeconds, completedAt, at, now } = update;
      await tx.execute(put, [userId, lessonId, courseId, positionSeconds, completedAt, at, now]);
    },
    ofCourse: (courseId: ObjectId, userId: ObjectId): Promise<StudiedLesson[]> =>
      database.all(ofCourse, [courseId, userId]),
    /** Returns a member's progress in each of the courses, without the single lessons. */
    ofCourses: (courseIds: ObjectId[], userId: ObjectId): Promise<StudiedCourse[]> =>
      database.all(ofCourses, [courseIds, userId]),
    isComplete: async (queries: Queries, courseId: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await queries.first(isComplete, [courseId, userId]))?.complete === true,
    /**
     * Returns the courses, without drafts, that a member has not completed although nothing is left to do in them, newest
     * enrolment first; served by enrolment_by_member.
     */
    completableOf: async (userId: ObjectId, limit: number): Promise<ObjectId[]> =>
      (await database.all(completable, [limit, userId])).map(({ id }) => id),
  };
}

export type ProgressStore = ReturnType<typeof progressStore>;
