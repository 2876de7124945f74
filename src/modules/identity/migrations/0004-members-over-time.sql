-- How many members there were at an instant, and how many came within a period.
create index user_by_age on identity.user (created_at) include (deleted_at);
