-- The kinds are those that modules contribute, which the API checks.
alter table moderation.report drop constraint report_kind_check;
