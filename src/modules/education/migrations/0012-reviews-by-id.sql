-- concurrently
-- A rating is found by its id, which follows from the course and the member: given again, it is the same one.
create index concurrently if not exists rating_by_id on education.rating (left(md5(course_id || user_id), 24));
