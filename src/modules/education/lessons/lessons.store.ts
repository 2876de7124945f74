import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Course } from '../courses/courses.model.ts';
import { beginningOf } from '../courses/courses.store.ts';
import {
  type Lesson,
  type LessonSummary,
  MAX_LISTED_RESOURCES,
  type OutlinedLesson,
} from './lessons.model.ts';

/** Sizes of texts and links, in bytes. */
interface Sizes {
  lesson: number;
  /** Total of all lessons of the module. */
  module: number;
}

const OUTLINED = `l.id, l.module_id as "moduleId", l.title, l.position as "order", l.duration,
  l.thumbnail_url as "thumbnailUrl", l.preview, l.status,
  case when q.lesson_id is null then null
    else json_build_object('questions', q.question_count, 'passingScore', q.passing_score) end as quiz`;
const COLUMNS = `${OUTLINED}, l.course_id as "courseId", l.has_video as "hasVideo", l.download_url as "downloadUrl",
  l.view_count as "viewCount", l.published_at as "publishedAt", l.created_at as "createdAt",
  l.updated_at as "updatedAt"`;
const FROM = 'education.lesson l left join education.quiz q on q.lesson_id = l.id';

/** The properties that an update writes. */
const CONTENT = [
  'moduleId',
  'title',
  'description',
  'position',
  'duration',
  'hasVideo',
  'thumbnailUrl',
  'downloadUrl',
  'resources',
  'preview',
  'status',
  'publishedAt',
  'updatedAt',
] as const;
const written = (lesson: Lesson) => ({
  ...lesson,
  position: lesson.order,
  resources: JSON.stringify(lesson.resources),
});

const lessonsOfModule = statement<LessonSummary>(
  'education.lessons-of-module',
  `select ${COLUMNS}, ${beginningOf('l.description')} as description,
     jsonb_path_query_array(l.resources, '$[0 to ${MAX_LISTED_RESOURCES - 1}]') as resources,
     jsonb_array_length(l.resources) as "resourceCount"
   from ${FROM} where l.module_id = $1 order by l.position`,
);
const outlined = statement<OutlinedLesson>(
  'education.outlined-lessons',
  `select ${OUTLINED} from ${FROM} join education.module m on m.id = l.module_id
   where l.course_id = $1 and (l.status = 'published' or $2) order by m.position, l.position limit $3`,
);
const findLesson = statement<Lesson>(
  'education.find-lesson',
  `select ${COLUMNS}, l.description, l.resources from ${FROM} where l.id = $1`,
);

const sizesOf = statement<Sizes>(
  'education.sizes-of-lessons',
  `select coalesce(sum(bytes) filter (where id = $1), 0) as lesson,
     coalesce(sum(bytes) filter (where module_id = $2), 0) as module
   from (
     select id, module_id, octet_length(title) + octet_length(description) + octet_length(resources::text)
       + coalesce(octet_length(thumbnail_url), 0) + coalesce(octet_length(download_url), 0) as bytes
     from education.lesson where module_id = $2 or id = $1) as sized`,
);
const keepLesson = statement<{ id: ObjectId }>(
  'education.keep-lesson',
  'select id from education.lesson where id = $1 for key share',
);
const ownerOf = statement<{ ownerId: ObjectId }>(
  'education.owner-of-lesson',
  `select c.owner_id as "ownerId" from education.lesson l join education.course c on c.id = l.course_id
   where l.id = $1 and c.deleted_at is null`,
);

const toSearch = statement<LessonToSearch>(
  'education.lessons-to-search',
  `select l.id, l.course_id, l.title, l.description, l.status, l.created_at, c.owner_id
   from education.lesson l join education.course c on c.id = l.course_id
   where l.id = any($1) and c.deleted_at is null`,
);

const toNotify = statement<LessonToNotify>(
  'education.lessons-to-notify',
  `select l.id, l.course_id, l.title, l.status, c.title as course_title, c.status as course_status, c.owner_id
   from education.lesson l join education.course c on c.id = l.course_id
   where l.id = any($1) and c.deleted_at is null`,
);

/** A lesson with the data of its course that its notification needs. */
export type LessonToNotify = Pick<Lesson, 'id' | 'courseId' | 'title' | 'status'> & {
  courseTitle: string;
  courseStatus: Course['status'];
  ownerId: ObjectId;
};

/** A lesson with the data that the search needs. */
type LessonToSearch = Pick<Lesson, 'id' | 'courseId' | 'title' | 'description' | 'status' | 'createdAt'> & {
  ownerId: ObjectId;
};

/** SQL of lessons; writers must hold the lock of the course. */
export function lessonStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<Lesson | undefined> =>
      queries.first(findLesson, [id]),
    /** Returns the owner of the lesson's course, unless that is deleted. */
    ownerOf: async (id: ObjectId, queries: Queries): Promise<ObjectId | undefined> =>
      (await queries.first(ownerOf, [id]))?.ownerId,
    /** Returns those of the lessons whose course is not deleted. */
    toSearch: (ids: ObjectId[], queries: Queries): Promise<LessonToSearch[]> => queries.all(toSearch, [ids]),
    /** Returns those of the lessons whose course is not deleted, with the course's title. */
    toNotify: (ids: ObjectId[], queries: Queries): Promise<LessonToNotify[]> => queries.all(toNotify, [ids]),
    idsAfter: async (id: ObjectId, limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ id: ObjectId }>(
          'select id from education.lesson where id > $1 order by id limit $2',
          [id, limit],
        )
      ).map((row) => row.id),
    /** Returns the lessons of a course if the course is deleted. */
    idsOfDeleted: async (courseId: ObjectId, queries: Queries): Promise<ObjectId[]> =>
      (
        await queries.all<{ id: ObjectId }>(
          `select l.id from education.course c join education.lesson l on l.course_id = c.id
           where c.id = $1 and c.deleted_at is not null`,
          [courseId],
        )
      ).map((row) => row.id),
    ofModule: (moduleId: ObjectId): Promise<LessonSummary[]> => database.all(lessonsOfModule, [moduleId]),
    /** Returns the first lessons of a course, in the order of its modules; drafts only `withDrafts`. */
    outlined: (courseId: ObjectId, withDrafts: boolean, limit: number): Promise<OutlinedLesson[]> =>
      database.all(outlined, [courseId, withDrafts, limit]),
    idsOfModule: async (queries: Queries, moduleId: ObjectId): Promise<ObjectId[]> =>
      (
        await queries.all<{ id: ObjectId }>(
          'select id from education.lesson where module_id = $1 order by position, id',
          [moduleId],
        )
      ).map((row) => row.id),
    countOfCourse: (queries: Queries, courseId: ObjectId): Promise<number> =>
      queries.count('select count(*) from education.lesson where course_id = $1', [courseId]),
    /** Returns whether the lesson exists; if so, prevents its deletion until the transaction ends. */
    keep: async (tx: Transaction, id: ObjectId): Promise<boolean> =>
      (await tx.first(keepLesson, [id])) !== undefined,
    /** Returns the size of a lesson, 0 if there is none, and of the module that it will be in. */
    sizesOf: async (tx: Transaction, { id, moduleId }: Pick<Lesson, 'id' | 'moduleId'>): Promise<Sizes> =>
      (await tx.first(sizesOf, [id, moduleId])) ?? { lesson: 0, module: 0 },
    async insert(tx: Transaction, lesson: Lesson): Promise<void> {
      await tx.insert('education.lesson', written(lesson), ['id', 'courseId', 'createdAt', ...CONTENT]);
    },
    async update(tx: Transaction, lesson: Lesson): Promise<void> {
      await tx.update('education.lesson', written(lesson), CONTENT);
    },
    /**
     * Deletes a lesson. It waits for transactions that keep the lesson, so that their writes about it can be erased
     * afterwards.
     */
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('delete from education.lesson where id = $1', [id]);
    },
    /** Numbers the lessons in the given order, from 1. */
    async arrange(tx: Transaction, ids: ObjectId[]): Promise<void> {
      await tx.execute(
        `update education.lesson l set position = place
         from unnest($1::text[]) with ordinality as arranged (id, place) where l.id = arranged.id`,
        [ids],
      );
    },
  };
}

export type LessonStore = ReturnType<typeof lessonStore>;
