import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { videoCompleted, videoFailed } from '../media/contract.ts';
import { type Notice, type NotificationType, notice, noticeAction } from '../notifications/contract.ts';
import { courseCompleted, coursePublished, lessonPublished, topicOfCourse } from './contract.ts';
import type { CourseStore } from './courses/courses.store.ts';
import type { LessonStore, LessonToNotify } from './lessons/lessons.store.ts';

const COURSE_UPDATE: NotificationType = { name: 'course_update', priority: 'medium', channels: [] };
const ACHIEVEMENT: NotificationType = { name: 'achievement', priority: 'low', channels: ['push'] };

const openLesson = noticeAction('open-lesson', {
  opens: 'the lesson',
  path: '/v1/lessons/{lessonId}',
  ids: ['courseId', 'lessonId'],
});

/** Says who can watch a video that is ready, or what is to be done before. */
function readyToWatch({ status, courseStatus }: LessonToNotify): string {
  const unpublished = [
    ...(status === 'draft' ? ['the lesson'] : []),
    ...(courseStatus === 'draft' ? ['the course'] : []),
  ];
  return unpublished.length === 0
    ? 'Members can watch it now.'
    : `Publish ${unpublished.join(' and ')} so that members can watch it.`;
}

interface Stores {
  courses: Pick<CourseStore, 'findAll'>;
  lessons: Pick<LessonStore, 'toNotify'>;
}

export function educationNotices({ courses, lessons }: Stores): Notice[] {
  const lessonsById = async (ids: ObjectId[], queries: Queries) =>
    new Map((await lessons.toNotify(ids, queries)).map((lesson) => [lesson.id, lesson]));
  /** Reads the lessons to which the videos belong. */
  const lessonsOfVideos = (all: { subjectId: ObjectId }[], queries: Queries) =>
    lessonsById(
      all.map(({ subjectId }) => subjectId),
      queries,
    );

  return [
    notice(lessonPublished, {
      type: COURSE_UPDATE,
      action: openLesson,
      read: (all, queries) =>
        lessonsById(
          all.map(({ lessonId }) => lessonId),
          queries,
        ),
      // Not announced if students can no longer see the lesson.
      write: ({ courseId, lessonId }, found) => {
        const lesson = found.get(lessonId);
        if (lesson?.status !== 'published' || lesson.courseStatus === 'draft') return [];
        return [
          {
            topic: topicOfCourse(courseId),
            from: lesson.ownerId,
            title: `New in ${lesson.courseTitle}`,
            message: lesson.title,
            ids: { courseId, lessonId },
          },
        ];
      },
    }),
    notice(coursePublished, {
      type: COURSE_UPDATE,
      action: noticeAction('open-course', {
        opens: 'the course',
        path: '/v1/courses/{courseId}',
        ids: ['courseId', 'instructorId'],
      }),
      read: async (all, queries) => {
        const ids = new Set(all.map(({ courseId }) => courseId));
        return new Map((await courses.findAll([...ids], queries)).map((course) => [course.id, course]));
      },
      write: ({ courseId, instructorId }, found) => {
        const course = found.get(courseId);
        if (course?.status !== 'published') return [];
        return [
          {
            topic: 'EDUCATION',
            from: instructorId,
            channels: ['push'],
            title: 'A new course',
            message: course.title,
            ids: { courseId, instructorId },
          },
        ];
      },
    }),
    notice(courseCompleted, {
      type: ACHIEVEMENT,
      action: noticeAction('open-certificate', {
        opens: 'the certificate of the course',
        path: '/v1/courses/{courseId}/certificate',
        ids: ['courseId'],
      }),
      read: async (all, queries) => {
        const ids = new Set(all.map(({ courseId }) => courseId));
        return new Map((await courses.findAll([...ids], queries)).map((course) => [course.id, course]));
      },
      write: ({ userId, courseId }, found) => {
        const course = found.get(courseId);
        if (!course || course.status === 'draft') return [];
        return [
          {
            to: userId,
            title: 'Course completed',
            message: `You have completed ${course.title}. Your certificate is ready.`,
            ids: { courseId },
          },
        ];
      },
    }),
    notice(videoCompleted, {
      type: COURSE_UPDATE,
      action: openLesson,
      read: lessonsOfVideos,
      write: ({ ownerId, subjectId: lessonId }, found) => {
        const lesson = found.get(lessonId);
        if (!lesson) return [];
        return [
          {
            to: ownerId,
            title: 'Your video is ready',
            message: readyToWatch(lesson),
            ids: { courseId: lesson.courseId, lessonId },
          },
        ];
      },
    }),
    notice(videoFailed, {
      type: COURSE_UPDATE,
      action: openLesson,
      read: lessonsOfVideos,
      write: ({ ownerId, subjectId: lessonId, code, message }, found) => {
        const lesson = found.get(lessonId);
        // A cancellation is the owner's own action and needs no notification.
        if (!lesson || code === 'CANCELLED') return [];
        return [
          {
            to: ownerId,
            title: 'Your video could not be processed',
            message,
            ids: { courseId: lesson.courseId, lessonId },
            details: { code },
          },
        ];
      },
    }),
  ];
}
