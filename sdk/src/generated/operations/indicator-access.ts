// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the grants of an indicator, newest first. `GET /v1/streams/scanners/{id}/access` For administrator. */
export const listIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 200 are lowered to 200 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    status?: wire.IndicatorAccessStatus;
  };
  data: wire.IndicatorAccess[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listIndicatorAccess',
  method: 'GET',
  path: '/v1/streams/scanners/{id}/access',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Grant a member access to an indicator. `POST /v1/streams/scanners/{id}/access` For administrator. */
export const grantIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.GrantIndicatorAccessBody;
  data: wire.IndicatorAccess;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'grantIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/{id}/access',
  fill: filled,
  isIdempotent: true,
};

/** Revoke a grant immediately. `DELETE /v1/streams/scanners/{id}/access/{accessId}` For administrator. */
export const revokeIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
    accessId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.IndicatorAccess;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'revokeIndicatorAccess',
  method: 'DELETE',
  path: '/v1/streams/scanners/{id}/access/{accessId}',
  fill: filled,
};

/** Retry a failed grant or revocation. `POST /v1/streams/scanners/{id}/access/{accessId}/retry` For administrator. */
export const retryIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
    accessId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.IndicatorAccess;
  code: AnyCode | TokenCode | WriteCode | 'ACCESS_NOT_FAILED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'retryIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/{id}/access/{accessId}/retry',
  fill: filled,
};

/** Mark a failed grant or revocation as done manually at the charting platform. `POST /v1/streams/scanners/{id}/access/{accessId}/resolve` For administrator. */
export const resolveIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
    accessId: wire.ObjectId;
  };
  body: wire.ResolveIndicatorAccessBody;
  data: wire.IndicatorAccess;
  code: AnyCode | TokenCode | WriteCode | 'ACCESS_NOT_FAILED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'resolveIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/{id}/access/{accessId}/resolve',
  fill: filled,
};

/** Take over what somebody else made at the charting platform for a grant. `POST /v1/streams/scanners/{id}/access/{accessId}/take-over` For administrator. */
export const takeOverIndicatorAccess: Operation<{
  params: {
    id: wire.ObjectId;
    accessId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.IndicatorAccess;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOTHING_TO_TAKE_OVER' | 'NOT_FOUND';
}> = {
  id: 'takeOverIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/{id}/access/{accessId}/take-over',
  fill: filled,
};

/** List the status changes of a grant, newest first. `GET /v1/streams/scanners/{id}/access/{accessId}/history` For administrator. */
export const getIndicatorAccessHistory: Operation<{
  params: {
    id: wire.ObjectId;
    accessId: wire.ObjectId;
  };
  data: wire.IndicatorAccessMove[];
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getIndicatorAccessHistory',
  method: 'GET',
  path: '/v1/streams/scanners/{id}/access/{accessId}/history',
  fill: filled,
};

/** List failed grants of all indicators. `GET /v1/streams/scanners/access-failures` For administrator. */
export const listIndicatorAccessFailures: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 200 are lowered to 200 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.IndicatorAccess[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listIndicatorAccessFailures',
  method: 'GET',
  path: '/v1/streams/scanners/access-failures',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** List the grants of all indicators, newest first. `GET /v1/streams/scanners/access` For administrator. */
export const listAllIndicatorAccess: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 200 are lowered to 200 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    userId?: wire.ObjectId;
    status?: wire.IndicatorAccessStatus;
    source?: 'marketplace' | 'automated' | 'manual';
    /** Last changed before this instant */
    olderThan?: wire.InstantText;
  };
  data: wire.IndicatorAccess[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listAllIndicatorAccess',
  method: 'GET',
  path: '/v1/streams/scanners/access',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Retry failed grants and revocations, with a result for each. `POST /v1/streams/scanners/access/retry` For administrator. */
export const retryAllIndicatorAccess: Operation<{
  body: wire.RetryAllIndicatorAccessBody;
  data: wire.RetriedIndicatorAccess[];
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'retryAllIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/access/retry',
};

/** List your access to indicators. `GET /v1/streams/scanners/access/mine` For member. */
export const listMyIndicatorAccess: Operation<{
  data: wire.MyIndicatorAccess[];
  code: AnyCode | TokenCode;
}> = {
  id: 'listMyIndicatorAccess',
  method: 'GET',
  path: '/v1/streams/scanners/access/mine',
};

/** Save your username at the charting platform. `PUT /v1/streams/scanners/charting-username` For member. */
export const setChartingUsername: Operation<{
  body: wire.SetChartingUsernameBody;
  data: wire.SetChartingUsernameResult;
  code: AnyCode | TokenCode | WriteCode | 'TOO_MANY_HANDLE_CHANGES';
}> = {
  id: 'setChartingUsername',
  method: 'PUT',
  path: '/v1/streams/scanners/charting-username',
};

/** Compare grants with the charting platform and grant again what is missing. `POST /v1/streams/scanners/access/sync` For administrator. */
export const compareIndicatorAccess: Operation<{
  query: {
    /** Report differences without repairing them */
    dryRun?: boolean;
    /** Why you do it, for the audit log */
    reason?: string;
  };
  data: wire.IndicatorComparison;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN';
}> = {
  id: 'compareIndicatorAccess',
  method: 'POST',
  path: '/v1/streams/scanners/access/sync',
};

/** Retrieve the state of the account at the charting platform. `GET /v1/admin/charting-account` For administrator. */
export const getChartingAccount: Operation<{
  data: wire.ChartingAccount;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getChartingAccount',
  method: 'GET',
  path: '/v1/admin/charting-account',
};
