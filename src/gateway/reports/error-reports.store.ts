import type { Database } from '../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import { containing, type Naming, type Person } from '../../kernel/records/erasure.ts';
import { storableJson } from '../../kernel/text/safe-text.ts';
import type { ErrorFilter, ErrorPlace, ErrorReport, ErrorSummary } from './error-reports.model.ts';

/** Reports of outages whose cause was a sentence had no type. */
const REPORT = `'{"errorType": "Failure"}'::jsonb || report`;
const SUMMARY = `((${REPORT}) - 'stack') #- '{request,headers}' #- '{request,body}' as report`;

const GIVEN_EMAIL = `coalesce(report->'user'->>'email', report->'request'->'body'->>'email')`;

const CONDITIONS: Record<keyof ErrorFilter, string> = {
  code: 'code =',
  operation: 'operation =',
  status: 'status =',
  severity: 'severity =',
  userId: 'user_id =',
  // As in error_report_by_email, error_report_by_request and error_report_by_trace.
  email: `${GIVEN_EMAIL} is not null and left(lower(${GIVEN_EMAIL}), 320) =`,
  requestId: `report->'request'->>'requestId' =`,
  traceId: `report->'request'->>'traceId' =`,
  from: 'created_at >=',
  to: 'created_at <=',
};

/** Returns the conditions of a filter, and their values from `$1` on. */
function conditionsOf(filter: ErrorFilter): { where: string; values: unknown[] } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const conditions = given.map(([name], place) => `${CONDITIONS[name as keyof ErrorFilter]} $${place + 1}`);
  return { where: conditions.join(' and ') || 'true', values: given.map(([, value]) => value) };
}

/** The position before the oldest report. */
export const OLDEST: ErrorPlace = { at: new Date(0), errorId: '00000000-0000-0000-0000-000000000000' };

interface ReportToErase extends ErrorPlace {
  /** Undefined if the report is not about the person. */
  report: ErrorReport | undefined;
}

const toErase = statement<ReportToErase>(
  'gateway.reports-to-erase',
  `select created_at as at, error_id as "errorId",
     case when user_id = $3 or (report::text ilike any($4) and report::text ~* $6
       and (created_at <= $7 or report::text like $8)) then report end as report
   from gateway.error_report where (created_at, error_id) > ($1::timestamptz, $2::uuid)
   order by created_at, error_id limit $5`,
);
const replace = statement<never>(
  'gateway.replace-reports',
  `update gateway.error_report e
   set report = n.report || jsonb_build_object('severity', e.report->'severity')
   from unnest($1::uuid[], $2::jsonb[]) as n (error_id, report)
   where e.error_id = n.error_id and e.report <> n.report`,
);

export function errorReportStore(database: Database) {
  return {
    /** Returns reports after a position, oldest first, and whether each is about the person. */
    readAfter: (
      after: ErrorPlace,
      { userId, patterns, expression, emailsUntil }: Naming & Pick<Person, 'userId' | 'emailsUntil'>,
      limit: number,
    ): Promise<ReportToErase[]> =>
      database.all(toErase, [
        after.at,
        after.errorId,
        userId,
        patterns,
        limit,
        expression,
        emailsUntil,
        containing(userId),
      ]),
    async replaceAll(reports: ErrorReport[]): Promise<void> {
      await database.execute(replace, [
        reports.map(({ errorId }) => errorId),
        reports.map((report) => storableJson(report)),
      ]);
    },
    async insertAll(reports: ErrorReport[]): Promise<void> {
      await database.execute(
        `insert into gateway.error_report (error_id, created_at, report)
         select (report->>'errorId')::uuid, (report->>'timestamp')::timestamptz, report
         from unnest($1::jsonb[]) as report
         on conflict do nothing`,
        [reports.map((report) => storableJson(report))],
      );
    },
    async find(errorId: string): Promise<ErrorReport | undefined> {
      const row = await database.first<{ report: ErrorReport }>(
        `select ${REPORT} as report from gateway.error_report where error_id = $1`,
        [errorId],
      );
      return row?.report;
    },
    /** Locks a report until the transaction ends, and returns its severity. */
    lockSeverity: (tx: Transaction, errorId: string): Promise<Pick<ErrorReport, 'severity'> | undefined> =>
      tx.first('select severity from gateway.error_report where error_id = $1 for update', [errorId]),
    async setSeverity(tx: Transaction, errorId: string, severity: ErrorReport['severity']): Promise<void> {
      await tx.execute(
        `update gateway.error_report set report = report || jsonb_build_object('severity', $2::text)
         where error_id = $1`,
        [errorId, severity],
      );
    },
    placeOf: (errorId: string): Promise<PageRequest['after']> =>
      database.first(
        'select created_at as at, error_id as id from gateway.error_report where error_id = $1',
        [errorId],
      ),
    /** Returns reports newest first; `total` counts all that match the filter. */
    async pageOf(filter: ErrorFilter, request: PageRequest): Promise<Page<ErrorSummary>> {
      const { where, values } = conditionsOf(filter);
      const query = {
        columns: SUMMARY,
        from: `gateway.error_report where ${where}`,
        orderBy: 'created_at desc, error_id desc',
        moment: 'created_at, error_id',
        isGrowing: true,
      };
      return mapPage(
        await readPage<{ report: ErrorSummary }>(database, query, values, request),
        ({ report }) => report,
      );
    },
  };
}
