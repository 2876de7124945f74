import { Type } from 'typebox';
import { failure, notFound } from '../../kernel/failures.ts';
import { adminKey } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { DateTime, ObjectIdShape, oneOf, refusedAs } from '../../kernel/operations/shapes.ts';
import type { ErrorReports } from './error-reports.ts';

const ErrorId = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  examples: ['0193a1b2-7c3d-4e5f-8a9b-0c1d2e3f4a5b'],
});

const ErrorReportShape = Type.Object(
  {
    errorId: ErrorId,
    serviceName: Type.String({ examples: ['wallet'] }),
    operation: Type.String({ examples: ['transferKeys'] }),
    errorType: Type.String(),
    errorCode: Type.String({ examples: ['INSUFFICIENT_BALANCE'] }),
    errorMessage: Type.String({ examples: ['Insufficient balance'] }),
    statusCode: Type.Integer(),
    stack: Type.Optional(Type.String({ description: 'Left out in production' })),
    request: Type.Object({
      method: Type.String({ examples: ['POST'] }),
      path: Type.String({ examples: ['/v1/wallets/transfer'] }),
      requestId: Type.String(),
      traceId: Type.Optional(Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] })),
      headers: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }),
      body: Type.Unsafe<unknown>({ description: 'As sent, with secrets redacted' }),
    }),
    user: Type.Optional(Type.Object({ userId: ObjectIdShape, email: Type.String() })),
    severity: oneOf(['critical', 'high', 'medium', 'low']),
    timestamp: Type.Unsafe<string>({ ...DateTime }),
  },
  { $id: 'ErrorReport' },
);

const errorNotFound = notFound('Error');

export const errorReportOperations = (reports: ErrorReports): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/errors/:errorId',
    id: 'getError',
    tag: 'Errors',
    summary: 'Look up a failure by the errorId that was answered with it',
    access: adminKey,
    params: Type.Object({
      errorId: refusedAs(ErrorId, failure(400, 'INVALID_ID', 'Invalid error ID')),
    }),
    success: ok(ErrorReportShape),
    failures: [errorNotFound],
    handle: async ({ params }) => {
      const report = await reports.find(params.errorId);
      if (!report) throw errorNotFound();
      return report;
    },
  }),
];
