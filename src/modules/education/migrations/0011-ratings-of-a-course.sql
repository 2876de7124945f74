-- concurrently
-- What members wrote of a course, newest first.
create index concurrently if not exists rating_of_course on education.rating (course_id, created_at desc, user_id desc);
