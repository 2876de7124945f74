-- When the subscribers of the topic were told of a course, so that they are told once, and it can be withdrawn.
alter table education.course add column announced_at timestamptz;
-- Of those that are published or were, most have been announced.
update education.course set announced_at = created_at where status <> 'draft';
