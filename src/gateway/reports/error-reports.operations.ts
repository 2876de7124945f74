import { Type } from 'typebox';
import { failure, notFound } from '../../kernel/failures.ts';
import { administrator, adminKey } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { momentPageOf, momentQuery } from '../../kernel/operations/moments.ts';
import { type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { boundsOf } from '../../kernel/operations/periods.ts';
import {
  boundsQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  oneOf,
  refusedAs,
  Uuid,
} from '../../kernel/operations/shapes.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { ErrorReport } from './error-reports.model.ts';
import type { ErrorReports } from './error-reports.ts';

const invalidErrorId = failure(400, 'INVALID_ID', 'Invalid error ID');

const Severity = oneOf(['critical', 'high', 'medium', 'low'], {
  description:
    'At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another',
  examples: ['critical'],
});
const requestFields = {
  method: Type.String({ examples: ['POST'] }),
  path: Type.String({ examples: ['/v1/wallets/transfer'] }),
  requestId: Type.String({ examples: ['req_6740f1c2a9b3e4d5f6a7b8c9'] }),
};
const summaryFields = {
  errorId: Uuid,
  serviceName: Type.String({ examples: ['wallet'] }),
  operation: Type.String({ examples: ['transferKeys'] }),
  errorType: Type.String({ examples: ['Failure'] }),
  errorCode: Type.String({ examples: ['INSUFFICIENT_BALANCE'] }),
  errorMessage: Type.String({ examples: ['Insufficient balance'] }),
  reason: Type.Optional(
    Type.String({
      description: 'What the client was not told; for links to videos, files and certificates',
      examples: ['expired'],
    }),
  ),
  statusCode: Type.Integer({ examples: [400] }),
  user: Type.Optional(
    Type.Object({
      userId: ObjectIdShape,
      id: ObjectIdShape,
      name: nullable(
        Type.String({ description: 'Null once the account is deleted', examples: ['Ada Lovelace'] }),
      ),
      email: Type.String(),
    }),
  ),
  severity: Severity,
  timestamp: Type.Unsafe<string>({ ...DateTime }),
};
export const ErrorSummaryShape = Type.Object(
  { ...summaryFields, request: Type.Object(requestFields) },
  { $id: 'ErrorSummary' },
);
const ErrorReportShape = Type.Object(
  {
    ...summaryFields,
    stack: Type.Optional(Type.String({ description: 'Left out in production' })),
    request: Type.Object({
      ...requestFields,
      traceId: Type.Optional(Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] })),
      headers: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }),
      body: Type.Unsafe<unknown>({
        description: 'The body as sent, with secrets and private texts redacted',
      }),
    }),
  },
  { $id: 'ErrorReport' },
);

const MOST_BUCKETS = 96;

const ErrorSummaryQuery = Type.Object({
  ...boundsQuery,
  by: Type.Optional(
    oneOf(['code', 'operation'], { description: 'By default, rows differ in operation, code and status' }),
  ),
  buckets: Type.Integer({
    minimum: 1,
    maximum: MOST_BUCKETS,
    default: 1,
    description: 'How many equal parts `series` divides the period into',
  }),
});

const ErrorGroupShape = Type.Object(
  {
    operation: nullable(summaryFields.operation),
    code: nullable(summaryFields.errorCode),
    status: nullable(summaryFields.statusCode),
    count: Type.Integer({ examples: [12] }),
    members: Type.Integer({ description: 'How many members met them', examples: [3] }),
    firstAt: DateTime,
    lastAt: DateTime,
    exampleErrorId: Uuid,
    series: Type.Array(Type.Integer(), { description: 'The count of each bucket' }),
  },
  { $id: 'ErrorGroup' },
);

const errorNotFound = notFound('Error');
const byId = { params: Type.Object({ errorId: refusedAs(Uuid, invalidErrorId) }) };

/** Returns the period to summarize; a future end is cut. @throws 422 when the end precedes the start */
function summaryPeriod(
  from: string | undefined,
  to: string | undefined,
  now: Date,
): { from: Date; to: Date } {
  const given = boundsOf({ from, to });
  const end = given.to && given.to < now ? given.to : now;
  const start = given.from ?? new Date(end.getTime() - DAY_MS);
  // The end is exclusive, and no bucket is empty.
  return { from: start, to: new Date(Math.max(end.getTime(), start.getTime()) + 1) };
}

export const errorReportOperations = (reports: ErrorReports, clock: Clock): Operation[] => {
  async function find(errorId: string): Promise<ErrorReport> {
    const report = await reports.find(errorId);
    if (!report) throw errorNotFound();
    return report;
  }

  return [
    operation({
      method: 'GET',
      path: '/v1/errors/:errorId',
      id: 'getError',
      tag: 'Errors',
      summary: 'Look up a failure by its errorId',
      access: adminKey,
      ...byId,
      success: ok(ErrorReportShape),
      failures: [errorNotFound],
      handle: ({ params }) => find(params.errorId),
    }),
    operation({
      method: 'GET',
      path: '/v1/admin/errors',
      id: 'listErrors',
      tag: 'Errors',
      summary: 'List failures, newest first',
      description: 'If the same failure occurs very often, only a sample is stored.',
      access: administrator,
      query: Type.Object({
        ...momentQuery(['timestamp', 'errorId'], { before: 'MomentOrUuid' }),
        code: Type.Optional(Type.String({ maxLength: 100, examples: ['INSUFFICIENT_BALANCE'] })),
        operation: Type.Optional(
          Type.String({ maxLength: 100, description: 'An operationId', examples: ['transferKeys'] }),
        ),
        status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599, examples: [400] })),
        severity: Type.Optional(Severity),
        userId: Type.Optional(bodyId('user')),
        email: Type.Optional(
          Type.String({
            maxLength: 320,
            description: 'Of the caller, or in the body, as of failed sign-ins',
            examples: ['ada@example.com'],
          }),
        ),
        requestId: Type.Optional(Type.String({ maxLength: 100, examples: ['req_6740f1c2a9b3e4d5f6a7b8c9'] })),
        traceId: Type.Optional(
          Type.String({ maxLength: 100, examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] }),
        ),
        ...boundsQuery,
      }),
      success: pageOf(ErrorSummaryShape),
      failures: [errorNotFound],
      handle: async ({ query: { page, limit, before, from, to, email, ...rest } }) => {
        const filter = { ...rest, email: email?.trim().toLowerCase() };
        const found = await reports.pageOf(
          { ...filter, ...boundsOf({ from, to }) },
          momentPageOf({ page, limit, before }),
        );
        if (!found) throw errorNotFound();
        return found;
      },
    }),
    operation({
      method: 'GET',
      path: '/v1/admin/errors/summary',
      id: 'summarizeErrors',
      tag: 'Errors',
      summary: 'Count failures by operation and code, the most frequent first',
      description:
        'At most 100 rows. `series` has the count of each bucket of the period, which is the last 24 hours by default. A period of more than 36 hours begins and ends on a quarter of an hour.',
      access: administrator,
      query: ErrorSummaryQuery,
      success: ok(Type.Array(ErrorGroupShape)),
      handle: ({ query: { by, buckets, from, to } }) =>
        reports.summaryOf({ by: by ?? 'both', buckets, ...summaryPeriod(from, to, clock.date()) }),
    }),
    operation({
      method: 'GET',
      path: '/v1/admin/errors/:errorId',
      id: 'getErrorAsAdmin',
      tag: 'Errors',
      summary: 'Retrieve a failure with its redacted request',
      access: administrator,
      ...byId,
      success: ok(ErrorReportShape),
      failures: [errorNotFound],
      handle: ({ params }) => find(params.errorId),
    }),
    operation({
      method: 'PATCH',
      path: '/v1/admin/errors/:errorId',
      id: 'updateError',
      tag: 'Errors',
      summary: 'Assign the severity of a failure',
      description: 'To find it again by `severity`. The report itself does not change.',
      access: administrator,
      ...byId,
      body: Type.Object({ severity: Severity }),
      success: ok(ErrorReportShape, { message: 'Severity assigned' }),
      failures: [errorNotFound],
      load: ({ params }) => find(params.errorId),
      handle: async ({ loaded: { errorId }, body: { severity }, caller, facts }) => {
        const changed = await reports.setSeverity(errorId, severity, actorOf(caller, facts));
        if (!changed) throw errorNotFound();
        return changed;
      },
    }),
  ];
};
