import type { Pagination } from '../../sdk/src/generated/wire.ts';
import type { Operation, TypesOf, WireAnswer } from '../../sdk/src/operation.ts';

/** The fields that all responses have in common. */
export interface Answer<Data = unknown> {
  status: number;
  headers: Headers;
  body: Envelope;
  data: Data;
}

/** The fields of every JSON response. */
export interface Envelope {
  success: boolean;
  status: number;
  message: string;
  data?: unknown;
  pagination?: Pagination | undefined;
  error?: string | undefined;
  errorId?: string | undefined;
  errors?: { field: string; message: string }[] | undefined;
  /** The status once more; only present if access to a client platform is refused. */
  statusCode?: number | undefined;
  meta: { timestamp: string; version: string; ignored?: string[]; errorId?: string; retryAfter?: number };
}

/** The response of an operation that succeeded. */
export interface Accepted<O extends Operation> {
  status: number;
  headers: Headers;
  body: WireAnswer<O> & {
    error?: undefined;
    errorId?: undefined;
    errors?: undefined;
    meta: { retryAfter?: undefined };
    statusCode?: undefined;
  };
  data: TypesOf<O>['data'];
}

/** The response of an operation that was refused. */
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
    statusCode?: number;
    meta: { timestamp: string; version: string; errorId: string; retryAfter?: number };
    data?: undefined;
    pagination?: undefined;
  };
  data: undefined;
}
