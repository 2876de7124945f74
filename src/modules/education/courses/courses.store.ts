import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Teaching } from '../contract.ts';
import { type Course, type CourseFilter, type CourseSummary, MAX_SUMMARY_LENGTH } from './courses.model.ts';

/** Returns SQL for a text shortened for lists. */
export const beginningOf = (column: string): string =>
  `case when length(${column}) > ${MAX_SUMMARY_LENGTH}
     then left(${column}, ${MAX_SUMMARY_LENGTH - 1}) || '…' else ${column} end`;

const SUMMARY = `id, owner_id as "ownerId", title, category, level, price, currency, thumbnail,
  trailer_url as "trailerUrl", tags, status, owner_teaches as "ownerTeaches",
  module_count as "moduleCount", lesson_count as "lessonCount", duration, enrolled_count as "enrolledCount",
  coalesce(round(rating_sum::numeric / nullif(rating_count, 0), 1), 0) as rating, rating_count as "ratingCount",
  created_at as "createdAt", updated_at as "updatedAt"`;

const COLUMNS = `${SUMMARY}, description, requirements, learning_outcomes as "learningOutcomes", syllabus`;
const SUMMARY_COLUMNS = `${SUMMARY}, ${beginningOf('description')} as description`;

/** The properties that an update writes. */
const CONTENT = [
  'title',
  'description',
  'category',
  'level',
  'price',
  'currency',
  'thumbnail',
  'trailerUrl',
  'requirements',
  'learningOutcomes',
  'tags',
  'syllabus',
  'status',
  'updatedAt',
] as const;

const summariesOf = statement<CourseSummary>(
  'education.summaries-of-courses',
  `select ${SUMMARY_COLUMNS} from education.course where id = any($1) and deleted_at is null`,
);
const findCourses = statement<Course>(
  'education.find-courses',
  `select ${COLUMNS} from education.course where id = any($1) and deleted_at is null`,
);
const lockCourse = statement<Course>(
  'education.lock-course',
  `select ${COLUMNS} from education.course where id = $1 and deleted_at is null for no key update`,
);

/** Updates the public counts from the published lessons; the course must be locked. */
const refreshCounts = statement<never>(
  'education.refresh-counts',
  `with counted as (
     select m.id, count(l.id) as lessons, coalesce(sum(l.duration), 0) as seconds
     from education.module m left join education.lesson l on l.module_id = m.id and l.status = 'published'
     where m.course_id = $1 group by m.id),
   modules as (
     update education.module m set lesson_count = c.lessons, duration = c.seconds from counted c
     where m.id = c.id and (m.lesson_count, m.duration) is distinct from (c.lessons, c.seconds))
   update education.course set
     module_count = (select count(*) from counted),
     lesson_count = (select coalesce(sum(lessons), 0) from counted),
     duration = (select coalesce(sum(seconds), 0) from counted)
   where id = $1`,
);

const teachingOf = statement<Teaching>(
  'education.teaching-of',
  `select owner_id as "educatorId", courses,
     coalesce(round(rating_sum::numeric / nullif(rating_count, 0), 1), 0) as rating
   from education.teaching where owner_id = any($1)`,
);

/** SQL of courses. */
export function courseStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<Course | undefined> =>
      queries.first(findCourses, [[id]]),
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Course[]> =>
      queries.all(findCourses, [ids]),
    summariesOf: (ids: ObjectId[]): Promise<CourseSummary[]> => database.all(summariesOf, [ids]),
    idsAfter: async (id: ObjectId, limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          'select id from education.course where id > $1 order by id limit $2',
          [id, limit],
        )
      ).map((row) => row.id),
    /** Returns the course with this id, and those whose title matches the pattern, by title; served by course_by_title. */
    findNamed: (
      id: ObjectId | undefined,
      pattern: string,
      limit: number,
    ): Promise<Pick<Course, 'id' | 'title' | 'status' | 'ownerId'>[]> =>
      database.all(
        `select id, title, status, owner_id from education.course where deleted_at is null and id in (
           (select id from education.course where id = $1) union
           (select id from education.course where deleted_at is null and lower(title) like $2
            order by lower(title) using ~<~ limit $3))
         order by lower(title) using ~<~, id limit $3`,
        [id ?? null, pattern, limit],
      ),
    /** Locks the course against changes to it, its modules and its lessons. */
    lock: (tx: Transaction, id: ObjectId): Promise<Course | undefined> => tx.first(lockCourse, [id]),

    /** Returns courses, newest first; served by course_open, course_open_by_category and course_by_owner. */
    pageOf(filter: CourseFilter, request: PageRequest): Promise<Page<CourseSummary>> {
      const { status, isTaught, category = null, level = null, ownerId = null } = filter;
      const from = `education.course where status = $1 and deleted_at is null
        ${isTaught ? 'and owner_teaches' : ''} and ($2::text is null or category = $2)
        and ($3::text is null or level = $3) and ($4::text is null or owner_id = $4)`;
      const values = [status, category, level, ownerId];
      return readPage(
        database.reads,
        { columns: SUMMARY_COLUMNS, from, orderBy: 'id desc', isGrowing: true },
        values,
        request,
      );
    },

    async insert(tx: Transaction, course: Course): Promise<void> {
      await tx.insert('education.course', course, ['id', 'ownerId', 'ownerTeaches', 'createdAt', ...CONTENT]);
    },
    async update(tx: Transaction, course: Course): Promise<void> {
      await tx.update('education.course', course, CONTENT);
    },
    /** Returns the ids of lessons of a course. */
    lessonIdsOf: async (tx: Transaction, id: ObjectId, limit: number): Promise<ObjectId[]> => {
      const rows = await tx.all<{ id: ObjectId }>(
        `select l.id from education.lesson l join education.module m on m.id = l.module_id
         where m.course_id = $1 order by l.id limit $2`,
        [id, limit],
      );
      return rows.map((row) => row.id);
    },
    async setOwner(
      tx: Transaction,
      owned: Pick<Course, 'id' | 'ownerId' | 'ownerTeaches' | 'updatedAt'>,
    ): Promise<void> {
      await tx.update('education.course', owned, ['ownerId', 'ownerTeaches', 'updatedAt']);
    },
    /** Returns when subscribers were told of a course; null if they were not. */
    announcedAt: async (tx: Transaction, id: ObjectId): Promise<Date | null> =>
      (
        await tx.first<{ at: Date | null }>('select announced_at as at from education.course where id = $1', [
          id,
        ])
      )?.at ?? null,
    announce: async (tx: Transaction, id: ObjectId, at: Date): Promise<void> => {
      await tx.execute('update education.course set announced_at = $2 where id = $1', [id, at]);
    },
    /** Hides the course everywhere until its rows are deleted. */
    async markDeleted(tx: Transaction, id: ObjectId, at: Date): Promise<void> {
      await tx.execute(`update education.course set status = 'draft', deleted_at = $2 where id = $1`, [
        id,
        at,
      ]);
    },
    /** Deletes a course that is marked as deleted, with its modules; its lessons must be deleted first. */
    async erase(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('delete from education.course where id = $1 and deleted_at is not null', [id]);
    },
    /** Returns some courses that are marked as deleted. */
    findDeleted: async (limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          'select id from education.course where deleted_at is not null order by id limit $1',
          [limit],
        )
      ).map((row) => row.id),
    async refreshCounts(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute(refreshCounts, [id]);
    },
    teachingOf: (ownerIds: ObjectId[]): Promise<Teaching[]> => database.all(teachingOf, [ownerIds]),
  };
}

export type CourseStore = ReturnType<typeof courseStore>;
