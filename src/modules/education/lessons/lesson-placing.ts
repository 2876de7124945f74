import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { CourseModuleStore } from '../courses/course-modules.store.ts';
import { arranged } from '../courses/ordering.ts';
import {
  lessonTooLarge,
  MAX_LESSON_BYTES,
  MAX_LESSONS,
  MAX_MODULE_BYTES,
  moduleNotFound,
  moduleTooLarge,
  tooManyLessons,
} from '../failures.ts';
import type { Lesson } from './lessons.model.ts';
import type { LessonStore } from './lessons.store.ts';

interface PlacingDeps {
  modules: Pick<CourseModuleStore, 'find'>;
  store: Pick<LessonStore, 'arrange' | 'idsOfModule' | 'sizesOf' | 'update'>;
}

/** The places of lessons within the modules of a locked course, and how much fits there. */
export function lessonPlacing({ modules, store }: PlacingDeps) {
  const idsWith = async (tx: Transaction, { id, moduleId }: Lesson, order: number | undefined) =>
    arranged(await store.idsOfModule(tx, moduleId), id, order);

  /** Moves a lesson to a position within its module. */
  const place = async (tx: Transaction, lesson: Lesson, order: number | undefined): Promise<void> =>
    store.arrange(tx, await idsWith(tx, lesson, order));

  /** Returns the position that a lesson of the module would get. */
  const placeOf = async (tx: Transaction, lesson: Lesson, order: number | undefined): Promise<number> =>
    (await idsWith(tx, lesson, order)).indexOf(lesson.id) + 1;

  /**
   * Returns the number of lessons of a module before one is added.
   * @throws tooManyLessons
   */
  async function countBeforeAdding(tx: Transaction, moduleId: ObjectId): Promise<number> {
    const count = (await store.idsOfModule(tx, moduleId)).length;
    if (count >= MAX_LESSONS) throw tooManyLessons();
    return count;
  }

  /**
   * Moves a lesson to the end of another module of its course and renumbers the lessons of its former module.
   * @throws moduleNotFound, tooManyLessons
   */
  async function move(tx: Transaction, from: Lesson, to: Lesson): Promise<void> {
    const target = await modules.find(to.moduleId, tx);
    if (target?.courseId !== from.courseId) throw moduleNotFound();
    const count = await countBeforeAdding(tx, to.moduleId);
    await store.update(tx, { ...to, order: count + 1 });
    await store.arrange(tx, await store.idsOfModule(tx, from.moduleId));
  }

  /**
   * Runs a write of a lesson that must not make the lesson or its module too large; sizes that were above the limit
   * before must not grow.
   * @throws lessonTooLarge, moduleTooLarge
   */
  async function withinSize(tx: Transaction, lesson: Lesson, write: () => Promise<void>): Promise<void> {
    const before = await store.sizesOf(tx, lesson);
    await write();
    const after = await store.sizesOf(tx, lesson);
    if (after.lesson > Math.max(before.lesson, MAX_LESSON_BYTES)) throw lessonTooLarge();
    if (after.module > Math.max(before.module, MAX_MODULE_BYTES)) throw moduleTooLarge();
  }

  return { place, placeOf, countBeforeAdding, move, withinSize };
}
