import type { ObjectId } from '../../kernel/ids.ts';

/** A reported failure, as operators see it. */
export interface ErrorReport {
  errorId: string;
  serviceName: string;
  operation: string;
  errorType: string;
  errorCode: string;
  errorMessage: string;
  reason?: string;
  statusCode: number;
  stack?: string;
  request: {
    method: string;
    path: string;
    requestId: string;
    traceId?: string;
    headers: unknown;
    body: unknown;
  };
  user?: { userId: string; email: string };
  severity: 'critical' | 'high' | 'medium' | 'low';
  timestamp: string;
}

export interface ErrorFilter {
  code?: string | undefined;
  operation?: string | undefined;
  status?: number | undefined;
  severity?: ErrorReport['severity'] | undefined;
  userId?: ObjectId | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A position in the order of reports, from which older ones are read. */
export interface ErrorPlace {
  at: Date;
  errorId: string;
}

/** A report without its long parts: the stack, and the headers and body of the request. */
export type ErrorSummary = Omit<ErrorReport, 'stack' | 'request'> & {
  request: Pick<ErrorReport['request'], 'method' | 'path' | 'requestId'>;
};
