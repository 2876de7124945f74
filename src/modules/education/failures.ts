import { Failure, failure, notFound } from '../../kernel/failures.ts';
import { MAX_LESSONS_OF_COURSE } from './lessons/lessons.model.ts';

export const moduleNotFound = notFound('Module');
export const lessonNotFound = notFound('Lesson');
export const quizNotFound = notFound('Quiz');
export const certificateNotFound = notFound('Certificate');
export const ratingNotFound = notFound('Rating');
export const captionNotFound = notFound('Caption');

export const MAX_COURSES = 1_000;
export const MAX_MODULES = 200;
export const MAX_LESSONS = 200;
const KIB = 1024;
export const MAX_LESSON_BYTES = 64 * KIB;
export const MAX_MODULE_BYTES = 1024 * KIB;
const MIB = 1024 * KIB;
export const MAX_CAPTION_BYTES = 8 * MIB;
export const MAX_CAPTIONS = 100;
export const tooManyCourses = failure(409, 'TOO_MANY_COURSES', `You can have at most ${MAX_COURSES} courses`);
export const tooManyModules = failure(409, 'TOO_MANY_MODULES', `A course has at most ${MAX_MODULES} modules`);
export const tooManyLessons = failure(409, 'TOO_MANY_LESSONS', `A module has at most ${MAX_LESSONS} lessons`);
export const tooManyLessonsInCourse = failure(
  409,
  'TOO_MANY_LESSONS_IN_COURSE',
  `A course has at most ${MAX_LESSONS_OF_COURSE} lessons`,
);
export const lessonTooLarge = failure(
  409,
  'LESSON_TOO_LARGE',
  `The texts and links of a lesson have at most ${MAX_LESSON_BYTES / KIB} KiB`,
);
export const moduleTooLarge = failure(
  409,
  'MODULE_TOO_LARGE',
  `The texts and links of all lessons of a module have at most ${MAX_MODULE_BYTES / KIB} KiB`,
);
export const tooManyCaptions = failure(
  409,
  'TOO_MANY_CAPTIONS',
  `A lesson has captions in at most ${MAX_CAPTIONS} languages`,
);
export const captionsTooLarge = failure(
  409,
  'CAPTIONS_TOO_LARGE',
  `The captions of a lesson have at most ${MAX_CAPTION_BYTES / MIB} MiB in all languages`,
);
export const invalidLanguage = failure(400, 'INVALID_LANGUAGE', 'Invalid language');

export const quizChanged = failure(409, 'QUIZ_CHANGED', 'The quiz has been changed since you retrieved it');

export const courseNotReady = failure(
  409,
  'COURSE_NOT_READY',
  'A published course requires a title, a description and at least one published lesson',
);
export const courseNotOpen = failure(409, 'COURSE_NOT_OPEN', 'The course is not open for enrolment');
export const priceChanged = (priceKeys: number): Failure =>
  new Failure(409, 'PRICE_CHANGED', 'The course costs more than you agreed to pay', { priceKeys });
export const ownCourse = failure(403, 'OWN_COURSE', 'You cannot rate your own course');
export const notEnrolled = failure(403, 'NOT_ENROLLED', 'You are not enrolled in this course');
export const courseNotCompleted = failure(
  409,
  'COURSE_NOT_COMPLETED',
  'All lessons must be completed and all quizzes passed first',
);
