import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { mustBeAsRead, timeOfChange } from '../../../kernel/operations/lost-updates.ts';
import { type Actor, changesNothing, changesOf } from '../../../kernel/records/audit.ts';
import { answered, type RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import type { Media } from '../../media/contract.ts';
import type { Intervention, Moderation } from '../../moderation/contract.ts';
import { lessonChanged } from '../contract.ts';
import type { CourseModuleStore } from '../courses/course-modules.store.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseRules } from '../courses/courses.ts';
import type { LessonNotices } from '../courses/lesson-notices.ts';
import { lessonNotFound, moduleNotFound, tooManyLessonsInCourse } from '../failures.ts';
import type { LessonAnnouncing } from './lesson-announcing.ts';
import { lessonPlacing } from './lesson-placing.ts';
import { type Lesson, MAX_LESSONS_OF_COURSE } from './lessons.model.ts';
import type { LessonChanges, LessonDraft, LessonView } from './lessons.schemas.ts';
import type { LessonStore } from './lessons.store.ts';
import { hiddenAs, type LessonRules } from './lessons.ts';

interface EditingDeps extends Pick<Core, 'events' | 'clock' | 'newId'> {
  courses: CourseRules;
  modules: CourseModuleStore;
  lessons: Pick<LessonRules, 'view' | 'viewForOwner'>;
  store: LessonStore;
  media: Pick<Media, 'erase' | 'checkPublicUrls'>;
  moderation: Pick<Moderation, 'intervene'>;
  announcing: LessonAnnouncing;
  notices: LessonNotices;
}

/** Who changes a lesson, and by which request. */
interface Request {
  caller: UserCaller;
  facts: RequestFacts;
}

/** A changed lesson, and whether the hourly limit suppressed its announcement. */
export interface ChangedLesson {
  lesson: LessonView;
  isQuiet: boolean;
}

/** Editing of lessons by the owner of their course; each change locks the course. */
export function lessonEditing(deps: EditingDeps) {
  const { courses, modules, lessons, announcing, notices, store, media, moderation } = deps;
  const { events, clock, newId } = deps;
  const { place, placeOf, countBeforeAdding, move, withinSize } = lessonPlacing({ modules, store });

  /** Records what an administrator does to a lesson of another owner's course. */
  const intervene = (
    tx: Transaction,
    actor: Actor,
    { course, lesson }: { course: Course; lesson: Lesson },
    what: Pick<Intervention, 'action' | 'recordedAs' | 'changes'>,
  ): Promise<void> =>
    moderation.intervene(tx, actor, {
      kind: 'lesson',
      subjectId: lesson.id,
      authorId: course.ownerId,
      name: lesson.title,
      details: { courseId: course.id },
      ...what,
    });

  /** Checks the files to which a lesson will refer. */
  async function checkFiles(
    courseId: ObjectId,
    { thumbnailUrl, downloadUrl, resources = [] }: LessonChanges,
    caller: UserCaller,
    current?: Lesson,
  ): Promise<void> {
    const urls = {
      thumbnailUrl,
      downloadUrl,
      ...Object.fromEntries(resources.map(({ url }, place) => [`resources.${place}.url`, url])),
    };
    if (!Object.values(urls).some((url) => url)) return;
    const { course } = await courses.visible(courseId, caller);
    const alreadySaved = current
      ? [current.thumbnailUrl, current.downloadUrl, ...current.resources.map(({ url }) => url)]
      : [];
    await media.checkPublicUrls(urls, { ownerIds: [course.ownerId, caller.userId], alreadySaved });
  }

  return {
    /** @throws moduleNotFound, insufficientPermissions, and the failures of the limits */
    async create(
      draft: LessonDraft,
      { caller, facts }: Request,
      answering: RecordedAnswer<ChangedLesson>,
    ): Promise<ChangedLesson> {
      const { order, ...fields } = draft;
      const module = await modules.find(fields.moduleId);
      if (!module) throw moduleNotFound();
      const ofCaller = await courses.managed(module.courseId, caller).catch(hiddenAs(moduleNotFound));
      await checkFiles(module.courseId, fields, caller);
      const at = clock.date();
      const blank: Lesson = {
        ...EMPTY,
        id: newId(),
        moduleId: module.id,
        courseId: module.courseId,
        title: fields.title,
        order: 1,
        createdAt: at,
        updatedAt: at,
      };
      const lesson = changed(blank, fields, at);
      const view = await lessons.viewForOwner(lesson, ofCaller, caller);
      const isAdmitted = announcing.admission(caller);
      return courses.change(module.courseId, async (tx, course) => {
        if (!(await modules.find(module.id, tx))) throw moduleNotFound();
        if ((await store.countOfCourse(tx, course.id)) >= MAX_LESSONS_OF_COURSE)
          throw tooManyLessonsInCourse();
        const count = await countBeforeAdding(tx, module.id);
        await withinSize(tx, lesson, () => store.insert(tx, { ...lesson, order: count + 1 }));
        await place(tx, lesson, order);
        await courses.afterLessonsChanged(tx, course);
        await events.publish(tx, lessonChanged, { lessonId: lesson.id });
        const added = { action: 'changed' as const, recordedAs: 'added' };
        await intervene(tx, actorOf(caller, facts), { course, lesson }, added);
        const isQuiet = await announcing.announce(tx, course, { before: blank, after: lesson }, isAdmitted);
        const placed = (await store.find(lesson.id, tx)) as Lesson;
        return answered(tx, answering, { lesson: { ...view, order: placed.order }, isQuiet });
      });
    },

    /**
     * Changes the given fields; a new module must belong to the same course.
     * @throws lessonNotFound, moduleNotFound, tooManyLessons, lessonTooLarge, moduleTooLarge, changedMeanwhile
     */
    async update(
      current: Lesson,
      { order, expectedUpdatedAt, ...changes }: LessonChanges,
      { caller, facts }: Request,
    ): Promise<ChangedLesson> {
      const { id, courseId } = current;
      await checkFiles(courseId, changes, caller, current);
      const isAdmitted = announcing.admission(caller);
      const isQuiet = await courses.change(courseId, async (tx, course) => {
        const before = await store.find(id, tx);
        if (!before) throw lessonNotFound();
        const after = changed(before, changes, timeOfChange(clock, before));
        const isMoved = after.moduleId !== before.moduleId;
        const differing = changesOf(before, {
          ...changes,
          duration: changes.duration === undefined ? undefined : after.duration,
          order: order === undefined || isMoved ? order : await placeOf(tx, before, order),
        });
        if (changesNothing(differing)) return false;
        mustBeAsRead(before, { expectedUpdatedAt });
        await withinSize(tx, after, () => (isMoved ? move(tx, before, after) : store.update(tx, after)));
        if (order !== undefined) await place(tx, after, order);
        await courses.afterLessonsChanged(tx, course);
        await events.publish(tx, lessonChanged, { lessonId: id });
        await intervene(
          tx,
          actorOf(caller, facts),
          { course, lesson: before },
          { action: 'changed', changes: differing },
        );
        if (before.status === 'published' && after.status === 'draft')
          await notices.withdrawHidden(tx, before);
        return announcing.announce(tx, course, { before, after }, isAdmitted);
      });
      return { lesson: await lessons.view(id, caller), isQuiet };
    },

    /** @throws lessonNotFound, courseNotReady when a published course would have no lessons left */
    delete: ({ id, courseId }: Lesson, actor: Actor): Promise<{ id: ObjectId }> =>
      courses.change(courseId, async (tx, course) => {
        const lesson = await store.find(id, tx);
        if (!lesson) throw lessonNotFound();
        await store.delete(tx, id);
        const videos = await media.erase(tx, [id]);
        await store.arrange(tx, await store.idsOfModule(tx, lesson.moduleId));
        await courses.afterLessonsChanged(tx, course);
        await events.publish(tx, lessonChanged, { lessonId: id });
        await notices.withdrawDeleted(tx, [lesson], { ownerId: course.ownerId, videos });
        await intervene(tx, actor, { course, lesson }, { action: 'removed' });
        return { id };
      }),
  };
}

export type LessonEditing = ReturnType<typeof lessonEditing>;

const EMPTY = {
  description: '',
  duration: 0,
  hasVideo: false,
  thumbnailUrl: null,
  downloadUrl: null,
  resources: [],
  preview: false,
  status: 'draft',
  viewCount: 0,
  publishedAt: null,
  quiz: null,
} satisfies Partial<Lesson>;

/** Returns the lesson with the given changes applied; a lesson with a video takes its duration from the video. */
function changed(before: Lesson, changes: Omit<LessonChanges, 'order'>, at: Date): Lesson {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: Lesson = { ...before, ...given, updatedAt: at };
  if (before.hasVideo) after.duration = before.duration;
  const isPublished = before.status === 'published' || after.status === 'published';
  return { ...after, publishedAt: before.publishedAt ?? (isPublished ? at : null) };
}
