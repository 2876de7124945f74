import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { type FailureMaker, insufficientPermissions } from '../../kernel/failures.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Media, Playback } from '../media/contract.ts';
import { courseNotFound, lessonPublished } from './contract.ts';
import type { CourseModuleStore } from './course-modules.store.ts';
import type { Course } from './courses.store.ts';
import type { CourseRules } from './courses.ts';
import {
  lessonNotFound,
  MAX_LESSONS,
  MAX_LESSONS_OF_COURSE,
  moduleNotFound,
  notEnrolled,
  tooManyLessons,
  tooManyLessonsInCourse,
} from './failures.ts';
import type { LessonChanges, LessonDraft, LessonView } from './lessons.schemas.ts';
import type { Lesson, LessonStore } from './lessons.store.ts';
import { arranged } from './ordering.ts';
import { mayWatch, type Viewer } from './viewing.ts';

/** Replaces courseNotFound by the given failure, for parts of a hidden course; rethrows other errors. */
const hiddenAs =
  (notThere: FailureMaker) =>
  (error: unknown): never => {
    throw courseNotFound.is(error) ? notThere() : error;
  };

interface LessonDeps {
  courses: CourseRules;
  modules: CourseModuleStore;
  store: LessonStore;
  media: Media;
  events: Events;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** A lesson as changed, and whether the hourly limit withheld its announcement. */
export interface ChangedLesson {
  lesson: LessonView;
  isQuiet: boolean;
}

/** A lesson with its course and the caller's relation to it. */
export interface SeenLesson {
  lesson: Lesson;
  course: Course;
  viewer: Viewer;
}

/** Lessons: visibility of their content, and editing by their owner. */
export function lessonRules(deps: LessonDeps) {
  const { courses, modules, store, media, events, fanOut, clock, newId } = deps;

  /** @throws lessonNotFound, also if it is hidden from the caller */
  async function visible(id: ObjectId, caller: UserCaller): Promise<SeenLesson> {
    const lesson = await store.find(id);
    if (!lesson) throw lessonNotFound();
    const { course, viewer } = await courses.visible(lesson.courseId, caller).catch(hiddenAs(lessonNotFound));
    if (lesson.status === 'draft' && !viewer.mayManage) throw lessonNotFound();
    return { lesson, course, viewer };
  }

  /** @throws lessonNotFound, insufficientPermissions for another owner's lesson */
  async function managed(id: ObjectId, caller: UserCaller): Promise<Lesson> {
    const { lesson, viewer } = await visible(id, caller);
    if (!viewer.mayManage) throw insufficientPermissions();
    return lesson;
  }

  async function viewsOf(
    lessons: Lesson[],
    course: Course,
    viewer: Viewer,
    caller: UserCaller,
  ): Promise<LessonView[]> {
    const ids = lessons.map(({ id }) => id);
    const [links, languages] = await Promise.all([
      media.playback(ids, caller.userId),
      media.captionLanguages(ids),
    ]);
    return lessons.map((lesson) =>
      shown(lesson, mayWatch(course, lesson, viewer), links.get(lesson.id), languages.get(lesson.id) ?? []),
    );
  }

  async function viewOf({ lesson, course, viewer }: SeenLesson, caller: UserCaller): Promise<LessonView> {
    const [view] = await viewsOf([lesson], course, viewer, caller);
    return view as LessonView;
  }

  /** Moves a lesson to a position within its module. */
  async function place(tx: Transaction, lesson: Lesson, order: number | undefined): Promise<void> {
    await store.arrange(tx, arranged(await store.idsOfModule(tx, lesson.moduleId), lesson.id, order));
  }

  /** Returns the number of lessons of a module that takes another one. @throws tooManyLessons */
  async function countBeforeAdding(tx: Transaction, moduleId: ObjectId): Promise<number> {
    const count = (await store.idsOfModule(tx, moduleId)).length;
    if (count >= MAX_LESSONS) throw tooManyLessons();
    return count;
  }

  /**
   * Moves a lesson to another module of its course and renumbers the one it leaves. @throws moduleNotFound,
   * tooManyLessons
   */
  async function move(tx: Transaction, from: Lesson, to: Lesson, order: number | undefined): Promise<void> {
    const target = await modules.find(to.moduleId, tx);
    if (target?.courseId !== from.courseId) throw moduleNotFound();
    const count = await countBeforeAdding(tx, to.moduleId);
    await store.update(tx, { ...to, order: count + 1 });
    await place(tx, to, order);
    await store.arrange(tx, await store.idsOfModule(tx, from.moduleId));
  }

  /** Counts the announcement of a lesson that is about to be published; returns whether the hourly limit withholds it. */
  async function isWithheld(before: Lesson, status: Lesson['status'], caller: UserCaller): Promise<boolean> {
    if (!isFirstPublication(before, status)) return false;
    const { course } = await courses.visible(before.courseId, caller);
    return course.status === 'published' && !(await fanOut.admits('lessons', caller));
  }

  /** Announces a lesson to the students of its course. */
  async function announce(tx: Transaction, course: Course, lesson: Lesson, isQuiet: boolean): Promise<void> {
    if (course.status !== 'published') return;
    await events.publish(tx, lessonPublished, {
      courseId: course.id,
      courseTitle: course.title,
      lessonId: lesson.id,
      lessonTitle: lesson.title,
      isQuiet,
    });
  }

  /** Returns a lesson of a course that the caller is enrolled in or manages. @throws lessonNotFound, notEnrolled */
  async function studied(id: ObjectId, caller: UserCaller): Promise<SeenLesson> {
    const seen = await visible(id, caller);
    if (!seen.viewer.isEnrolled && !seen.viewer.mayManage) throw notEnrolled();
    return seen;
  }

  return {
    visible,
    managed,
    studied,
    view: async (id: ObjectId, caller: UserCaller): Promise<LessonView> =>
      viewOf(await visible(id, caller), caller),

    /** Returns the lessons of a module, in order. @throws moduleNotFound */
    async ofModule(moduleId: ObjectId, caller: UserCaller): Promise<LessonView[]> {
      const module = await modules.find(moduleId);
      if (!module) throw moduleNotFound();
      const { course, viewer } = await courses
        .visible(module.courseId, caller)
        .catch(hiddenAs(moduleNotFound));
      const all = await store.ofModule(moduleId);
      const seen = all.filter(({ status }) => status === 'published' || viewer.mayManage);
      return viewsOf(seen, course, viewer, caller);
    },

    /** @throws moduleNotFound, insufficientPermissions, tooManyLessons, tooManyLessonsInCourse */
    async create(draft: LessonDraft, caller: UserCaller): Promise<ChangedLesson> {
      const { order, ...fields } = draft;
      const module = await modules.find(fields.moduleId);
      if (!module) throw moduleNotFound();
      await courses.managed(module.courseId, caller).catch(hiddenAs(moduleNotFound));
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
      const isQuiet = await isWithheld(blank, lesson.status, caller);
      await courses.change(module.courseId, async (tx, course) => {
        if (!(await modules.find(module.id, tx))) throw moduleNotFound();
        if ((await store.countOfCourse(tx, course.id)) >= MAX_LESSONS_OF_COURSE)
          throw tooManyLessonsInCourse();
        const count = await countBeforeAdding(tx, module.id);
        await store.insert(tx, { ...lesson, order: count + 1 });
        await place(tx, lesson, order);
        await courses.afterLessonsChanged(tx, course);
        if (isFirstPublication(blank, lesson.status)) await announce(tx, course, lesson, isQuiet);
      });
      return { lesson: await viewOf(await visible(lesson.id, caller), caller), isQuiet };
    },

    /**
     * Changes the given fields; a new module must belong to the same course. @throws lessonNotFound, moduleNotFound,
     * tooManyLessons
     */
    async update(
      seen: Lesson,
      { order, ...changes }: LessonChanges,
      caller: UserCaller,
    ): Promise<ChangedLesson> {
      const { id, courseId } = seen;
      const isQuiet = await isWithheld(seen, changes.status ?? seen.status, caller);
      await courses.change(courseId, async (tx, course) => {
        const before = await store.find(id, tx);
        if (!before) throw lessonNotFound();
        const after = changed(before, changes, clock.date());
        if (after.moduleId === before.moduleId) {
          await store.update(tx, after);
          if (order !== undefined) await place(tx, after, order);
        } else await move(tx, before, after, order);
        await courses.afterLessonsChanged(tx, course);
        if (isFirstPublication(before, after.status)) await announce(tx, course, after, isQuiet);
      });
      return { lesson: await viewOf(await visible(id, caller), caller), isQuiet };
    },

    /** @throws lessonNotFound, courseNotReady when a published course would have no lessons left */
    delete: ({ id, courseId, moduleId }: Lesson): Promise<{ id: ObjectId }> =>
      courses.change(courseId, async (tx, course) => {
        const gone = await store.delete(tx, id);
        if (gone.length === 0) throw lessonNotFound();
        await media.erase(tx, gone);
        await store.arrange(tx, await store.idsOfModule(tx, moduleId));
        await courses.afterLessonsChanged(tx, course);
        return { id };
      }),

    /** Records that the lesson's video is ready; its duration becomes that of the lesson. */
    async videoCompleted(tx: Transaction, lessonId: ObjectId, duration: number): Promise<void> {
      const found = await store.find(lessonId, tx);
      if (!found) return;
      const course = await courses.lock(tx, found.courseId);
      const lesson = course && (await store.find(lessonId, tx));
      if (!lesson) return;
      await store.update(tx, { ...lesson, hasVideo: true, duration, updatedAt: clock.date() });
      await courses.refreshCounts(tx, course.id);
    },
  };
}

export type LessonRules = ReturnType<typeof lessonRules>;

/** Prevents the deletion of a lesson until the transaction ends. @throws lessonNotFound */
export type KeepLesson = (tx: Transaction, id: ObjectId) => Promise<void>;

/** Whatever is written of a lesson is written while it is kept: otherwise its deletion would leave it behind, or fail. */
export const lessonKeeper =
  (store: Pick<LessonStore, 'keep'>): KeepLesson =>
  async (tx, id) => {
    if (!(await store.keep(tx, id))) throw lessonNotFound();
  };

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

/** Returns whether a lesson is published now that never was: only this is announced. */
const isFirstPublication = (before: Lesson, status: Lesson['status']): boolean =>
  before.status === 'draft' && status === 'published' && before.publishedAt === null;

/** Returns the lesson with the given changes applied; once it has a video, its duration is that of the video. */
function changed(before: Lesson, changes: Omit<LessonChanges, 'order'>, at: Date): Lesson {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after: Lesson = { ...before, ...given, updatedAt: at };
  if (before.hasVideo) after.duration = before.duration;
  const isPublished = before.status === 'published' || after.status === 'published';
  return { ...after, publishedAt: before.publishedAt ?? (isPublished ? at : null) };
}

/** Returns a lesson as shown to a viewer; fields they may not access are null or empty. */
function shown(
  lesson: Lesson,
  mayHave: boolean,
  links: Playback | undefined,
  captions: string[],
): LessonView {
  const { hasVideo, publishedAt, ...rest } = lesson;
  return {
    ...rest,
    videoUrl: (mayHave && links?.videoUrl) || null,
    thumbnailUrl: lesson.thumbnailUrl ?? (mayHave ? (links?.thumbnailUrl ?? null) : null),
    downloadUrl: mayHave ? lesson.downloadUrl : null,
    resources: mayHave ? lesson.resources : [],
    quiz: mayHave ? lesson.quiz : null,
    captions,
  };
}
