// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Look up a failure by its errorId. `GET /v1/errors/{errorId}` For operator. */
export const getError: Operation<{
  params: {
    errorId: wire.Uuid;
  };
  data: wire.ErrorReport;
  code: AnyCode | 'API_KEY_REQUIRED' | 'FORBIDDEN' | 'INVALID_API_KEY' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getError',
  method: 'GET',
  path: '/v1/errors/{errorId}',
  fill: filled,
  isOpen: true,
};

/** List failures, newest first. `GET /v1/admin/errors` For administrator. */
export const listErrors: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `timestamp` and `errorId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.MomentOrUuid;
    code?: string;
    /** An operationId */
    operation?: string;
    status?: number;
    /** At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another */
    severity?: 'critical' | 'high' | 'medium' | 'low';
    userId?: wire.ObjectId;
    /** Of the caller, or in the body, as of failed sign-ins */
    email?: string;
    requestId?: string;
    traceId?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
  };
  data: wire.ErrorSummary[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listErrors',
  method: 'GET',
  path: '/v1/admin/errors',
  pages: pagesOf,
  cursor: ['before', 'timestamp', 'errorId'],
};

/** Count failures by operation and code, the most frequent first. `GET /v1/admin/errors/summary` For administrator. */
export const summarizeErrors: Operation<{
  query: {
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    from?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    to?: wire.InstantText;
    /** By default, rows differ in operation, code and status */
    by?: 'code' | 'operation';
    /** How many equal parts `series` divides the period into */
    buckets?: number;
  };
  data: wire.ErrorGroup[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'summarizeErrors',
  method: 'GET',
  path: '/v1/admin/errors/summary',
};

/** Retrieve a failure with its redacted request. `GET /v1/admin/errors/{errorId}` For administrator. */
export const getErrorAsAdmin: Operation<{
  params: {
    errorId: wire.Uuid;
  };
  data: wire.ErrorReport;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getErrorAsAdmin',
  method: 'GET',
  path: '/v1/admin/errors/{errorId}',
  fill: filled,
};

/** Assign the severity of a failure. `PATCH /v1/admin/errors/{errorId}` For administrator. */
export const updateError: Operation<{
  params: {
    errorId: wire.Uuid;
  };
  body: wire.UpdateErrorBody;
  data: wire.ErrorReport;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'updateError',
  method: 'PATCH',
  path: '/v1/admin/errors/{errorId}',
  fill: filled,
};
