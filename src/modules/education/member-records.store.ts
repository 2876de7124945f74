import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educationRecords: MemberRecords[] = [
  {
    name: 'enrolments',
    isErased: true,
    count: counting('education.count-enrolments', 'education.enrolment where user_id = $1'),
  },
  {
    name: 'lessonProgress',
    isErased: true,
    count: counting('education.count-progress', 'education.lesson_progress where user_id = $1'),
  },
  {
    name: 'quizAttempts',
    isErased: true,
    count: counting('education.count-attempts', 'education.quiz_attempt where user_id = $1'),
  },
  {
    name: 'courseRatings',
    isErased: true,
    count: counting('education.count-ratings', 'education.rating where user_id = $1'),
  },
  {
    name: 'certificates',
    isErased: true,
    count: counting('education.count-certificates', 'education.certificate where user_id = $1'),
  },
  {
    name: 'courses',
    isErased: false,
    count: counting('education.count-courses', 'education.course where owner_id = $1 and deleted_at is null'),
  },
];
