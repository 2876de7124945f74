-- A course that was deleted is gone for everybody at once; its lessons are deleted in the background, some at a time.
alter table education.course add column deleted_at timestamptz;
create index course_to_erase on education.course (id) where deleted_at is not null;
