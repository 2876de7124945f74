import type { Transaction } from '../../../kernel/database/queries.ts';
import { type FailureMaker, insufficientPermissions } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Media, Playback } from '../../media/contract.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseModuleStore } from '../courses/course-modules.store.ts';
import type { Course } from '../courses/courses.model.ts';
import type { CourseRules } from '../courses/courses.ts';
import { mayWatch, seesDrafts, type Viewer } from '../courses/viewing.ts';
import { lessonNotFound, moduleNotFound, notEnrolled } from '../failures.ts';
import type { Lesson, QuizResult, VideoUnavailable } from './lessons.model.ts';
import type { LessonSummaryView, LessonView } from './lessons.schemas.ts';
import type { LessonStore } from './lessons.store.ts';
import type { QuizResultStore } from './quiz-results.store.ts';

/** Replaces courseNotFound by the given failure, for parts of a hidden course; rethrows other errors. */
export const hiddenAs =
  (notThere: FailureMaker) =>
  (error: unknown): never => {
    throw courseNotFound.is(error) ? notThere() : error;
  };

interface LessonDeps {
  courses: CourseRules;
  modules: CourseModuleStore;
  store: LessonStore;
  quizResults: QuizResultStore;
  media: Pick<Media, 'playback' | 'captionLanguages'>;
}

/** A lesson with its course and the caller's relation to it. */
export interface SeenLesson {
  lesson: Lesson;
  course: Course;
  viewer: Viewer;
}

/** Lessons: who may see them, and which parts. */
export function lessonRules({ courses, modules, store, quizResults, media }: LessonDeps) {
  /** @throws lessonNotFound, also if it is hidden from the caller */
  async function visible(id: ObjectId, caller: UserCaller): Promise<SeenLesson> {
    const lesson = await store.find(id);
    if (!lesson) throw lessonNotFound();
    const { course, viewer } = await courses.visible(lesson.courseId, caller).catch(hiddenAs(lessonNotFound));
    if (lesson.status === 'draft' && !seesDrafts(viewer)) throw lessonNotFound();
    return { lesson, course, viewer };
  }

  /** @throws lessonNotFound, insufficientPermissions for another owner's lesson */
  async function managed(id: ObjectId, caller: UserCaller): Promise<Lesson> {
    const { lesson, viewer } = await visible(id, caller);
    if (!viewer.mayManage) throw insufficientPermissions();
    return lesson;
  }

  /** Returns the links of the video of each lesson, or the reason why the viewer has none. */
  async function videosOf(
    lessons: Pick<Lesson, 'id' | 'preview'>[],
    course: Course,
    viewer: Viewer,
    { userId }: UserCaller,
  ): Promise<Map<ObjectId, Playback | VideoUnavailable>> {
    const watchable = lessons.filter((lesson) => mayWatch(course, lesson, viewer)).map(({ id }) => id);
    const videos: Map<ObjectId, Playback | VideoUnavailable> = await media.playback(watchable, userId);
    for (const { id } of lessons) if (!videos.has(id)) videos.set(id, 'not-entitled');
    return videos;
  }

  /** Returns the caller's result in the quiz of each lesson that has one. */
  async function resultsOf(
    lessons: Pick<Lesson, 'id' | 'quiz'>[],
    { userId }: UserCaller,
  ): Promise<Map<ObjectId, QuizResult>> {
    const ids = lessons.filter(({ quiz }) => quiz !== null).map(({ id }) => id);
    return ids.length === 0 ? new Map() : quizResults.of(ids, userId);
  }

  async function viewsOf<Row extends Lesson>(
    lessons: Row[],
    course: Course,
    viewer: Viewer,
    caller: UserCaller,
  ): Promise<Shown<Row>[]> {
    const ids = lessons.map(({ id }) => id);
    const [videos, languages, results] = await Promise.all([
      videosOf(lessons, course, viewer, caller),
      media.captionLanguages(ids),
      resultsOf(lessons, caller),
    ]);
    return lessons.map((lesson) => {
      const parts = { video: videos.get(lesson.id) ?? 'none', result: results.get(lesson.id) };
      return shown(lesson, parts, languages.get(lesson.id) ?? []);
    });
  }

  async function viewOf({ lesson, course, viewer }: SeenLesson, caller: UserCaller): Promise<LessonView> {
    return only(await viewsOf([lesson], course, viewer, caller));
  }

  /** Returns a lesson of a course that the caller is enrolled in or manages. @throws lessonNotFound, notEnrolled */
  async function studied(id: ObjectId, caller: UserCaller): Promise<SeenLesson> {
    const found = await visible(id, caller);
    if (!found.viewer.isEnrolled && !found.viewer.mayManage) throw notEnrolled();
    return found;
  }

  return {
    visible,
    managed,
    studied,
    videosOf,
    resultsOf,
    view: async (id: ObjectId, caller: UserCaller): Promise<LessonView> =>
      viewOf(await visible(id, caller), caller),
    /** Returns a lesson as those see it who manage its course. */
    viewForOwner: (lesson: Lesson, course: Course, caller: UserCaller): Promise<LessonView> =>
      viewOf({ lesson, course, viewer: { mayManage: true, isEnrolled: false, hasLeft: false } }, caller),

    /** Returns summaries of the lessons of a module, in order. @throws moduleNotFound */
    async ofModule(moduleId: ObjectId, caller: UserCaller): Promise<LessonSummaryView[]> {
      const module = await modules.find(moduleId);
      if (!module) throw moduleNotFound();
      const { course, viewer } = await courses
        .visible(module.courseId, caller)
        .catch(hiddenAs(moduleNotFound));
      const all = await store.ofModule(moduleId);
      const seen = all.filter(({ status }) => status === 'published' || seesDrafts(viewer));
      const views = await viewsOf(seen, course, viewer, caller);
      return views.map((view) => ({ ...view, resourceCount: view.resources.length && view.resourceCount }));
    },
  };
}

export type LessonRules = ReturnType<typeof lessonRules>;

/** Prevents the deletion of a lesson until the transaction ends. @throws lessonNotFound */
export type KeepLesson = (tx: Transaction, id: ObjectId) => Promise<void>;

/**
 * Records about a lesson must be written while it is kept: otherwise a concurrent deletion would miss them, or the
 * write would fail.
 */
export const lessonKeeper =
  (store: Pick<LessonStore, 'keep'>): KeepLesson =>
  async (tx, id) => {
    if (!(await store.keep(tx, id))) throw lessonNotFound();
  };

type Shown<Row extends Lesson> = Omit<Row, 'hasVideo' | 'publishedAt' | 'quiz'> &
  Pick<LessonView, 'videoUrl' | 'videoUnavailable' | 'quiz' | 'captions'>;

/** What the fields of a lesson that depend on the viewer are made of. */
interface OfViewer {
  /** The links of its video, or the reason why the viewer has none. */
  video: Playback | VideoUnavailable;
  /** Their result in its quiz, if it has one. */
  result: QuizResult | undefined;
}

/** Returns a lesson as shown to a viewer; fields they may not access are null or empty. */
function shown<Row extends Lesson>(lesson: Row, ofViewer: OfViewer, captions: string[]): Shown<Row> {
  const { hasVideo, publishedAt, quiz, ...rest } = lesson;
  const { video } = ofViewer;
  const mayHave = video !== 'not-entitled';
  return {
    ...rest,
    ...partsOf(lesson, ofViewer),
    videoUrl: typeof video === 'string' ? null : video.videoUrl,
    downloadUrl: mayHave ? lesson.downloadUrl : null,
    resources: mayHave ? lesson.resources : [],
    captions,
  };
}

const NO_RESULT: QuizResult = { passed: false, bestScore: null, attempts: 0 };

/** Returns the fields that even the outline of a lesson has, and those that depend on the viewer. */
export const partsOf = (
  { thumbnailUrl, quiz }: Pick<Lesson, 'thumbnailUrl' | 'quiz'>,
  { video, result = NO_RESULT }: OfViewer,
): Pick<LessonView, 'videoUnavailable' | 'thumbnailUrl' | 'quiz'> => ({
  videoUnavailable: typeof video === 'string' ? video : null,
  thumbnailUrl: thumbnailUrl ?? (typeof video === 'string' ? null : video.thumbnailUrl),
  quiz: quiz && video !== 'not-entitled' ? { ...quiz, ...result } : null,
});
