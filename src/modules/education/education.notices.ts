import { videoCompleted, videoFailed } from '../media/contract.ts';
import { type Notice, notice } from '../notifications/contract.ts';
import { courseCompleted, lessonPublished, topicOfCourse } from './contract.ts';

export const educationNotices: Notice[] = [
  notice(lessonPublished, ({ courseId, courseTitle, lessonId, lessonTitle, isQuiet }) =>
    isQuiet
      ? []
      : [
          {
            topic: topicOfCourse(courseId),
            type: 'course_update',
            title: `New in ${courseTitle}`,
            message: lessonTitle,
            metadata: { action: 'open-lesson', courseId, lessonId },
          },
        ],
  ),
  notice(courseCompleted, ({ userId, courseId, courseTitle }) => [
    {
      to: userId,
      type: 'achievement',
      title: 'Course completed',
      message: `You have completed ${courseTitle}. Your certificate is ready.`,
      metadata: { action: 'open-certificate', courseId },
    },
  ]),
  notice(videoCompleted, ({ ownerId, subjectId }) => [
    {
      to: ownerId,
      type: 'course_update',
      title: 'Your video is ready',
      message: 'Members can watch it now.',
      metadata: { action: 'open-lesson', lessonId: subjectId },
    },
  ]),
  notice(videoFailed, ({ ownerId, subjectId, code, message }) =>
    // The owner who cancelled it needs no notification.
    code === 'CANCELLED'
      ? []
      : [
          {
            to: ownerId,
            type: 'course_update',
            title: 'Your video could not be processed',
            message,
            metadata: { action: 'open-lesson', lessonId: subjectId, code },
          },
        ],
  ),
];
