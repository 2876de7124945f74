-- concurrently
-- Members may attempt a quiz without limit; outlines and progress show their best attempt, and whether one passed.
create index concurrently if not exists quiz_attempt_best on education.quiz_attempt (user_id, lesson_id, score);
create index concurrently if not exists quiz_attempt_passed on education.quiz_attempt (user_id, lesson_id) where passed;
