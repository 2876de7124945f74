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

/** A report that names the member; without a name if the account was deleted. */
export type Named<Report extends Pick<ErrorReport, 'user'>> = Omit<Report, 'user'> & {
  user?: { userId: string; email: string; id: string; name: string | null };
};

export interface ErrorFilter {
  code?: string | undefined;
  operation?: string | undefined;
  status?: number | undefined;
  severity?: ErrorReport['severity'] | undefined;
  userId?: ObjectId | undefined;
  /** In canonical form; that of the caller, or the one that the body names. */
  email?: string | undefined;
  requestId?: string | undefined;
  traceId?: string | undefined;
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

/** What the failures of a group of a summary have in common. */
export type Grouping = 'both' | 'code' | 'operation';

export interface SummaryPeriod {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** How many equal parts the period has. */
  buckets: number;
  by: Grouping;
}

/** Failures of one kind within a period. */
export interface ErrorGroup {
  operation: string | null;
  code: string | null;
  status: number | null;
  count: number;
  /** Number of members who met them. */
  members: number;
  firstAt: Date;
  lastAt: Date;
  exampleErrorId: string;
  /** The count of each bucket. */
  series: number[];
}

/** A group as stores count it: its series as the numbers of the buckets that have failures, and their counts. */
export interface CountedGroup extends Omit<ErrorGroup, 'series'> {
  buckets: number[];
  counts: number[];
}
