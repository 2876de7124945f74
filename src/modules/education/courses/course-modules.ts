import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Events } from '../../../kernel/messaging/events.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Media } from '../../media/contract.ts';
import type { Intervention, Moderation } from '../../moderation/contract.ts';
import { lessonChanged } from '../contract.ts';
import { MAX_MODULES, moduleNotFound, tooManyModules } from '../failures.ts';
import type { CourseContentStore } from './course-contents.store.ts';
import type { CourseModule } from './course-modules.model.ts';
import type { CourseModuleStore } from './course-modules.store.ts';
import type { Course } from './courses.model.ts';
import type { ModuleChanges } from './courses.schemas.ts';
import type { CourseRules } from './courses.ts';
import type { LessonNotices } from './lesson-notices.ts';
import { arranged } from './ordering.ts';

interface CourseModuleDeps {
  courses: CourseRules;
  store: CourseModuleStore;
  contents: Pick<CourseContentStore, 'deleteLessonsOfModule'>;
  media: Pick<Media, 'erase'>;
  moderation: Pick<Moderation, 'intervene'>;
  events: Pick<Events, 'publish'>;
  notices: Pick<LessonNotices, 'withdrawDeleted'>;
  clock: Clock;
  newId: NewId;
}

/** The modules of a course, in the order set by its owner. */
export function courseModuleRules(deps: CourseModuleDeps) {
  const { courses, store, contents, media, moderation, events, notices, clock, newId } = deps;

  /** @throws moduleNotFound also for a module of another course */
  async function ofCourse(courseId: ObjectId, id: ObjectId): Promise<CourseModule> {
    const found = await store.find(id);
    if (found?.courseId !== courseId) throw moduleNotFound();
    return found;
  }

  /** Records that an administrator changes the modules of another owner's course. */
  const intervene = (
    tx: Transaction,
    actor: Actor,
    { id: subjectId, ownerId: authorId, title: name }: Course,
    what: Pick<Intervention, 'recordedAs' | 'changes' | 'details'>,
  ): Promise<void> =>
    moderation.intervene(tx, actor, {
      kind: 'course',
      subjectId,
      authorId,
      action: 'changed',
      name,
      ...what,
    });

  return {
    ofCourse,
    async list(courseId: ObjectId, caller: UserCaller): Promise<CourseModule[]> {
      await courses.visible(courseId, caller);
      return store.ofCourse(courseId);
    },
    /** @throws tooManyModules */
    create: (
      courseId: ObjectId,
      draft: { title: string; order?: number },
      actor: Actor,
      idempotency = notIdempotent,
    ): Promise<CourseModule> =>
      courses.change(courseId, async (tx, course) => {
        const id = newId();
        const ids = (await store.ofCourse(courseId, tx)).map((module) => module.id);
        if (ids.length >= MAX_MODULES) throw tooManyModules();
        const updatedAt = clock.date();
        await store.insert(tx, { id, courseId, title: draft.title, order: ids.length + 1, updatedAt });
        await store.arrange(tx, arranged(ids, id, draft.order));
        await courses.afterLessonsChanged(tx, course);
        const details = { moduleId: id, title: draft.title };
        await intervene(tx, actor, course, { recordedAs: 'module-added', details });
        return answered(tx, { idempotency }, (await store.find(id, tx)) as CourseModule);
      }),
    /** Renames or moves a module. @throws moduleNotFound, changedMeanwhile */
    update: (
      { id, courseId }: CourseModule,
      { title, order, expectedUpdatedAt }: ModuleChanges,
      actor: Actor,
    ): Promise<CourseModule> =>
      courses.change(courseId, async (tx, course) => {
        const modules = await store.ofCourse(courseId, tx);
        const before = modules.find((module) => module.id === id);
        if (!before) throw moduleNotFound();
        const ids = arranged(
          modules.map((module) => module.id),
          id,
          order,
        );
        const changed = changesOf(before, { title, order: ids.indexOf(id) + 1 });
        if (changesNothing(changed)) return before;
        mustBeAsRead(before, { expectedUpdatedAt });
        await store.update(tx, { id, title: title ?? before.title, updatedAt: timeOfChange(clock, before) });
        await store.arrange(tx, ids);
        await intervene(tx, actor, course, {
          recordedAs: 'module-changed',
          changes: changed,
          details: { moduleId: id },
        });
        return (await store.find(id, tx)) as CourseModule;
      }),
    /**
     * Deletes a module with its lessons.
     * @throws moduleNotFound, courseNotReady when a published course would have no lessons left
     */
    delete: ({ id, courseId, title }: CourseModule, actor: Actor): Promise<{ id: ObjectId }> =>
      courses.change(courseId, async (tx, course) => {
        const ids = (await store.ofCourse(courseId, tx)).map((module) => module.id);
        if (!ids.includes(id)) throw moduleNotFound();
        const lessons = await contents.deleteLessonsOfModule(tx, id);
        const lessonIds = lessons.map((lesson) => lesson.id);
        const videos = await media.erase(tx, lessonIds);
        await events.publish(tx, lessonChanged, ...lessonIds.map((lessonId) => ({ lessonId })));
        await notices.withdrawDeleted(tx, lessons, { ownerId: course.ownerId, videos });
        await store.delete(tx, id);
        await store.arrange(
          tx,
          ids.filter((other) => other !== id),
        );
        await courses.afterLessonsChanged(tx, course);
        const details = { moduleId: id, title, lessonIds };
        await intervene(tx, actor, course, { recordedAs: 'module-removed', details });
        return { id };
      }),
  };
}

export type CourseModuleRules = ReturnType<typeof courseModuleRules>;
