import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { CourseStore } from '../courses/courses.store.ts';
import type { CourseView, CourseViews } from '../courses/courses.views.ts';
import type { Enrolment } from '../enrolments/enrolments.model.ts';
import type { EnrolmentStore } from '../enrolments/enrolments.store.ts';
import type { ListedProgress, ProgressRules } from './progress.ts';

interface EnrolledCourseDeps {
  views: Pick<CourseViews, 'viewsOf'>;
  courseStore: Pick<CourseStore, 'summariesOf'>;
  store: Pick<EnrolmentStore, 'pageOf'>;
  progress: Pick<ProgressRules, 'ofEnrolments'>;
}

type EnrolledCourse = CourseView &
  Pick<Enrolment, 'enrolledAt' | 'completedAt'> & { progress: ListedProgress };

/** The courses in which the caller is enrolled, with how far they are. */
export function enrolledCourses({ views, courseStore, store, progress }: EnrolledCourseDeps) {
  return {
    /** Returns the courses in which the caller is enrolled and that they may see, newest enrolment first. */
    async pageOf(request: PageRequest, caller: UserCaller): Promise<Page<EnrolledCourse>> {
      const page = await store.pageOf(caller.userId, holds(caller, 'admin'), request);
      const [found, progressIn] = await Promise.all([
        courseStore.summariesOf(page.items.map(({ courseId }) => courseId)),
        progress.ofEnrolments(page.items, caller.userId),
      ]);
      const viewOf = new Map((await views.viewsOf(found, caller)).map((view) => [view.id, view]));
      return mapPage(page, ({ courseId, enrolledAt }) => {
        const made = progressIn.get(courseId) as ListedProgress;
        return {
          ...(viewOf.get(courseId) as CourseView),
          enrolledAt,
          completedAt: made.completedAt,
          progress: made,
        };
      });
    },
  };
}

export type EnrolledCourses = ReturnType<typeof enrolledCourses>;
