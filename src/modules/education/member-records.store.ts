import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educationRecords: MemberRecords[] = [
  {
    name: 'enrolments',
    isErased: true,
    tables: ['education.enrolment'],
    count: counting('education.count-enrolments', 'education.enrolment where user_id = $1'),
    exported: [
      exporting('courses', {
        about: 'The courses that you have enrolled in',
        wordsOfOthers: ['title'],
        columns: `course_id, (select title from education.course where id = enrolment.course_id and status <> 'draft') as title, paid_keys, enrolled_at, left_at, completed_at`,
        from: 'education.enrolment where user_id = $1',
        key: 'course_id',
        areFew: true,
      }),
    ],
  },
  {
    name: 'lessonProgress',
    isErased: true,
    tables: ['education.lesson_progress'],
    count: counting('education.count-progress', 'education.lesson_progress where user_id = $1'),
    exported: [
      exporting('progress', {
        about: 'How far you are in lessons',
        columns: `lesson_id, course_id, position_seconds, started_at, updated_at, completed_at`,
        from: 'education.lesson_progress where user_id = $1',
        key: 'lesson_id',
      }),
    ],
  },
  {
    name: 'quizAttempts',
    isErased: true,
    tables: ['education.quiz_attempt'],
    count: counting('education.count-attempts', 'education.quiz_attempt where user_id = $1'),
    exported: [
      exporting('quiz-attempts', {
        about: 'Your answers to quizzes, by the numbers of the options',
        columns: `lesson_id, attempt, answers, score, passed, created_at`,
        from: 'education.quiz_attempt where user_id = $1',
        key: `lesson_id || lpad(attempt::text, 10, '0')`,
        areFew: true,
      }),
    ],
  },
  {
    name: 'courseRatings',
    isErased: true,
    tables: ['education.rating'],
    count: counting('education.count-ratings', 'education.rating where user_id = $1'),
    exported: [
      exporting('course-ratings', {
        about: 'Your ratings of courses',
        columns: `course_id, rating, review, created_at, updated_at`,
        from: 'education.rating where user_id = $1',
        key: 'course_id',
        areFew: true,
      }),
    ],
  },
  {
    name: 'certificates',
    isErased: true,
    tables: ['education.certificate'],
    count: counting('education.count-certificates', 'education.certificate where user_id = $1'),
    exported: [
      exporting('certificates', {
        about: 'Your certificates',
        wordsOfOthers: ['courseTitle'],
        columns: `id, course_id, name, course_title, completed_at, issued_at`,
        from: 'education.certificate where user_id = $1',
        areFew: true,
      }),
    ],
  },
  {
    name: 'courses',
    isErased: false,
    tables: ['education.course', 'education.teaching'],
    count: counting('education.count-courses', 'education.course where owner_id = $1 and deleted_at is null'),
    exported: [
      exporting('own-courses', {
        about: 'The courses that you teach',
        columns: `id, title, description, category, level, price, currency, thumbnail, trailer_url, requirements,
          learning_outcomes, tags, syllabus, status, enrolled_count, rating_count, rating_sum, announced_at, created_at, updated_at`,
        from: 'education.course where owner_id = $1 and deleted_at is null',
      }),
    ],
  },
];
