import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import {
  certificateChanged,
  courseChanged,
  courseCompleted,
  courseEnrolled,
  coursePublished,
  lessonChanged,
  lessonCompleted,
  lessonPublished,
  lessonStarted,
} from './contract.ts';

const course = { courseId: ObjectIdShape };
const lesson = { ...course, lessonId: ObjectIdShape };
const student = { userId: ObjectIdShape };

export const educationPublicEvents: PublicEvent[] = [
  publicEvent('course.published', {
    about: 'A course was published: for the first time, or again after it was taken back',
    data: Type.Object({ ...course, instructorId: ObjectIdShape }),
    from: [fromEvent(coursePublished, ({ courseId, instructorId }) => ({ courseId, instructorId }))],
  }),
  publicEvent('course.enrolled', {
    about: 'A member enrolled in a course',
    data: Type.Object({
      ...student,
      ...course,
      keys: Type.Integer({ description: 'The price that they paid' }),
    }),
    from: [fromEvent(courseEnrolled, ({ userId, courseId, keys }) => ({ userId, courseId, keys }))],
  }),
  publicEvent('course.completed', {
    about: 'A member completed every lesson of a course and passed its quizzes',
    data: Type.Object({ ...student, ...course }),
    from: [fromEvent(courseCompleted, ({ userId, courseId }) => ({ userId, courseId }))],
  }),
  publicEvent('lesson.published', {
    about: 'A lesson of a published course was published for the first time',
    data: Type.Object(lesson),
    from: [fromEvent(lessonPublished, ({ courseId, lessonId }) => ({ courseId, lessonId }))],
  }),
  publicEvent('lesson.completed', {
    about: 'A member completed a lesson',
    data: Type.Object({ ...student, ...lesson }),
    from: [fromEvent(lessonCompleted, ({ userId, courseId, lessonId }) => ({ userId, courseId, lessonId }))],
  }),
];

export const educationInternalEvents: InternalEvent[] = [
  ...internalEvents(
    'Every edit of a draft publishes it, for the search',
    courseChanged,
    lessonChanged,
    certificateChanged,
  ),
  ...internalEvents('Too frequent to be of use; `lesson.completed` is public', lessonStarted),
];
