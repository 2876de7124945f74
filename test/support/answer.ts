import type { Operation, TypesOf, WireAnswer } from '../../sdk/src/operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was answered
export type Loose = any;

/** An answer as a client sees it: the envelope, with the status line and headers. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Loose;
  data: Loose;
}

/** The answer of an operation that was not refused. */
export interface Accepted<O extends Operation> {
  status: number;
  headers: Headers;
  body: WireAnswer<O> & { error?: undefined; errorId?: undefined; errors?: undefined };
  data: TypesOf<O>['data'];
}

/** The answer of an operation that was refused. */
export interface Refused<O extends Operation> {
  status: number;
  headers: Headers;
  body: {
    success: false;
    status: number;
    message: string;
    error: TypesOf<O>['code'];
    errorId: string;
    errors?: { field: string; message: string }[];
    meta: { timestamp: string; version: string; errorId: string; retryAfter?: number };
    data?: undefined;
    pagination?: undefined;
  };
  data?: undefined;
}
