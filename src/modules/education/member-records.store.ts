import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educationRecords: MemberRecords[] = [
  {
    name: 'enrolments',
    isErased: true,
    tables: ['education.enrolment'],
    count: counting('education.count-enrolments', 'education.enrolment where user_id = $1'),
  },
  {
    name: 'lessonProgress',
    isErased: true,
    tables: ['education.lesson_progress'],
    count: counting('education.count-progress', 'education.lesson_progress where user_id = $1'),
  },
  {
    name: 'quizAttempts',
    isErased: true,
    tables: ['education.quiz_attempt'],
    count: counting('education.count-attempts', 'education.quiz_attempt where user_id = $1'),
  },
  {
    name: 'courseRatings',
    isErased: true,
    tables: ['education.rating'],
    count: counting('education.count-ratings', 'education.rating where user_id = $1'),
  },
  {
    name: 'certificates',
    isErased: true,
    tables: ['education.certificate'],
    count: counting('education.count-certificates', 'education.certificate where user_id = $1'),
  },
  {
    name: 'courses',
    isErased: false,
    tables: ['education.course', 'education.teaching'],
    count: counting('education.count-courses', 'education.course where owner_id = $1 and deleted_at is null'),
  },
];
