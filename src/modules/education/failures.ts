import { failure, notFound } from '../../kernel/failures.ts';

export const moduleNotFound = notFound('Module');
export const lessonNotFound = notFound('Lesson');
export const quizNotFound = notFound('Quiz');
export const certificateNotFound = notFound('Certificate');
export const ratingNotFound = notFound('Rating');
export const captionNotFound = notFound('Caption');

export const courseNotReady = failure(
  409,
  'COURSE_NOT_READY',
  'A published course requires a title, a description and at least one published lesson',
);
export const courseNotOpen = failure(409, 'COURSE_NOT_OPEN', 'The course is not open for enrolment');
export const notEnrolled = failure(403, 'NOT_ENROLLED', 'You are not enrolled in this course');
export const courseNotCompleted = failure(
  409,
  'COURSE_NOT_COMPLETED',
  'All lessons must be completed and all quizzes passed first',
);
