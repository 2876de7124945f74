-- concurrently
-- Reports of one request, trace or kind in the order of lists: without it, the planner may go through all reports.
create index concurrently if not exists error_report_of_request on gateway.error_report
  ((report->'request'->>'requestId'), created_at, error_id);
create index concurrently if not exists error_report_of_trace on gateway.error_report
  ((report->'request'->>'traceId'), created_at, error_id) where report->'request'->>'traceId' is not null;
create index concurrently if not exists error_report_by_kind on gateway.error_report
  (operation, code, status, created_at, error_id);
drop index concurrently if exists gateway.error_report_by_request;
drop index concurrently if exists gateway.error_report_by_trace;
