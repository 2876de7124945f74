-- What operators look failures up by, taken out of the report so that lists read no report but those they show.
alter table gateway.error_report
  add column code text generated always as (report->>'errorCode') stored,
  add column operation text generated always as (report->>'operation') stored,
  add column status smallint generated always as ((report->>'statusCode')::smallint) stored,
  add column severity text generated always as (report->>'severity') stored,
  add column user_id text generated always as (report->'user'->>'userId') stored;

-- Each filter newest first, with the id for cursors among failures of one instant.
drop index gateway.error_report_by_time;
create index error_report_by_time on gateway.error_report (created_at, error_id);
create index error_report_by_code on gateway.error_report (code, created_at, error_id);
create index error_report_by_operation on gateway.error_report (operation, created_at, error_id);
create index error_report_by_status on gateway.error_report (status, created_at, error_id);
create index error_report_by_severity on gateway.error_report (severity, created_at, error_id);
create index error_report_by_user on gateway.error_report (user_id, created_at, error_id) where user_id is not null;
