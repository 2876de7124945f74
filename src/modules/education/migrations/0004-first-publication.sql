-- When a lesson was first published, so that hiding it and showing it again notifies nobody. Null for lessons that were
-- published before this column existed, until they are hidden.
alter table education.lesson add column published_at timestamptz;

-- Every night the subscriptions of members who have left are removed, should any have remained.
create index enrolment_left on education.enrolment (course_id, user_id) where left_at is not null;
