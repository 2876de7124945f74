-- concurrently
-- What support starts from: an e-mail, a request or a trace; and the columns that summaries count, without the reports.
create index concurrently if not exists error_report_by_email on gateway.error_report
  (left(lower(coalesce(report->'user'->>'email', report->'request'->'body'->>'email')), 320), created_at, error_id)
  where coalesce(report->'user'->>'email', report->'request'->'body'->>'email') is not null;
create index concurrently if not exists error_report_by_request on gateway.error_report ((report->'request'->>'requestId'));
create index concurrently if not exists error_report_by_trace on gateway.error_report ((report->'request'->>'traceId'))
  where report->'request'->>'traceId' is not null;
create index concurrently if not exists error_report_to_count on gateway.error_report (created_at)
  include (operation, code, status, user_id);
