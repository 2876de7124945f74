-- What members did in months that were dropped is one row for each of their own names.

alter table analytics.past drop constraint past_pkey;
alter table analytics.past add constraint past_pkey primary key using index past_by_own_name;
