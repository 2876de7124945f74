import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { CourseModule } from './course-modules.model.ts';

const COLUMNS = `id, course_id as "courseId", title, position as "order", lesson_count as "lessonCount", duration,
  updated_at as "updatedAt"`;

const modulesOfCourse = statement<CourseModule>(
  'education.modules-of-course',
  `select ${COLUMNS} from education.module where course_id = $1 order by position`,
);

/** SQL of the modules of courses; writers must hold the lock of the course. */
export function courseModuleStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<CourseModule | undefined> =>
      queries.first(`select ${COLUMNS} from education.module where id = $1`, [id]),
    ofCourse: (courseId: ObjectId, queries: Queries = database): Promise<CourseModule[]> =>
      queries.all(modulesOfCourse, [courseId]),
    async insert(
      tx: Transaction,
      { id, courseId, title, order, updatedAt }: Omit<CourseModule, 'lessonCount' | 'duration'>,
    ) {
      await tx.insert('education.module', { id, courseId, title, position: order, updatedAt });
    },
    async update(tx: Transaction, module: Pick<CourseModule, 'id' | 'title' | 'updatedAt'>): Promise<void> {
      await tx.update('education.module', module, ['title', 'updatedAt']);
    },
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute('delete from education.module where id = $1', [id]);
    },
    /** Numbers the modules in the given order, from 1. */
    async arrange(tx: Transaction, ids: ObjectId[]): Promise<void> {
      await tx.execute(
        `update education.module m set position = place
         from unnest($1::text[]) with ordinality as arranged (id, place) where m.id = arranged.id`,
        [ids],
      );
    },
  };
}

export type CourseModuleStore = ReturnType<typeof courseModuleStore>;
