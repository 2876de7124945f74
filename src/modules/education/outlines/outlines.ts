import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { CourseModuleStore } from '../courses/course-modules.store.ts';
import type { Course } from '../courses/courses.model.ts';
import { seesDrafts, type Viewer } from '../courses/viewing.ts';
import { notEnrolled } from '../failures.ts';
import { MAX_LESSONS_OF_COURSE } from '../lessons/lessons.model.ts';
import type { LessonStore } from '../lessons/lessons.store.ts';
import { type LessonRules, partsOf } from '../lessons/lessons.ts';
import type { LessonProgress } from '../progress/progress.model.ts';
import type { CourseProgress, ProgressRules } from '../progress/progress.ts';
import type { CourseOutline, OutlineLesson } from './outlines.schemas.ts';

interface OutlineDeps {
  modules: Pick<CourseModuleStore, 'ofCourse'>;
  store: Pick<LessonStore, 'outlined'>;
  lessons: Pick<LessonRules, 'videosOf' | 'resultsOf'>;
  progress: Pick<ProgressRules, 'ofCourse'>;
}

/**
 * The outline of a course: its modules, their lessons, and the caller's progress, read by a fixed number of queries.
 */
export function outlineRules({ modules, store, lessons, progress }: OutlineDeps) {
  const progressOf = async (course: Course, viewer: Viewer, userId: ObjectId) =>
    viewer.isEnrolled ? await progress.ofCourse(course, userId).catch(undefinedIfNotEnrolled) : undefined;

  return {
    /** Returns the outline of a course that the caller may see. */
    async of(course: Course, viewer: Viewer, caller: UserCaller): Promise<CourseOutline> {
      const [its, found, reached] = await Promise.all([
        modules.ofCourse(course.id),
        store.outlined(course.id, seesDrafts(viewer), MAX_LESSONS_OF_COURSE + 1),
        progressOf(course, viewer, caller.userId),
      ]);
      const outlined = found.slice(0, MAX_LESSONS_OF_COURSE);
      const [videos, results] = await Promise.all([
        lessons.videosOf(outlined, course, viewer, caller),
        lessons.resultsOf(outlined, caller),
      ]);
      const reachedIn = new Map(reached?.lessons.map((one) => [one.lessonId, one]));
      const byModule = Map.groupBy(outlined, ({ moduleId }) => moduleId);
      const lessonsOf = (moduleId: ObjectId): OutlineLesson[] =>
        (byModule.get(moduleId) ?? []).map(({ moduleId: _, ...lesson }) => ({
          ...lesson,
          ...partsOf(lesson, { video: videos.get(lesson.id) ?? 'none', result: results.get(lesson.id) }),
          progress: placeOf(reachedIn.get(lesson.id)),
        }));
      return {
        courseId: course.id,
        title: course.title,
        enrolled: viewer.isEnrolled,
        progress: summaryOf(reached),
        modules: its.map(({ courseId: _, ...module }) => ({ ...module, lessons: lessonsOf(module.id) })),
        hasMoreLessons: found.length > outlined.length,
      };
    },
  };
}

export type OutlineRules = ReturnType<typeof outlineRules>;

/** A member who leaves the course concurrently has no progress to show. */
function undefinedIfNotEnrolled(error: unknown): undefined {
  if (!notEnrolled.is(error)) throw error;
}

function placeOf(reached: LessonProgress | undefined): OutlineLesson['progress'] {
  if (!reached) return null;
  const { lessonId: _, ...place } = reached;
  return place;
}

function summaryOf(reached: CourseProgress | undefined): CourseOutline['progress'] {
  if (!reached) return null;
  const { courseId: _, lessons: __, ...summary } = reached;
  return summary;
}
