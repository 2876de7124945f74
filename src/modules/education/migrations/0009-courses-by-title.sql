-- concurrently
-- What administrators find courses by.
create index concurrently if not exists course_by_title on education.course (lower(title) text_pattern_ops)
  where deleted_at is null;
