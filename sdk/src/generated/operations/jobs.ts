// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the queues of background jobs. `GET /v1/admin/jobs` For administrator. */
export const listJobQueues: Operation<{
  data: wire.JobQueue[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listJobQueues',
  method: 'GET',
  path: '/v1/admin/jobs',
};

/** List the jobs of a queue that failed all their attempts, newest first. `GET /v1/admin/jobs/{queue}/dead` For administrator. */
export const listDeadJobs: Operation<{
  params: {
    queue: string;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `failedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.MomentOrUuid;
  };
  data: wire.DeadJob[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listDeadJobs',
  method: 'GET',
  path: '/v1/admin/jobs/{queue}/dead',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'failedAt', 'id'],
};

/** Run several dead jobs again. `POST /v1/admin/jobs/{queue}/dead/retry` For administrator. */
export const retryDeadJobs: Operation<{
  params: {
    queue: string;
  };
  body: wire.RetryDeadJobsBody;
  data: wire.RetriedJob[];
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'retryDeadJobs',
  method: 'POST',
  path: '/v1/admin/jobs/{queue}/dead/retry',
  fill: filled,
};

/** Run a dead job again, with all its attempts. `POST /v1/admin/jobs/{queue}/dead/{id}/retry` For administrator. */
export const retryDeadJob: Operation<{
  params: {
    queue: string;
    id: wire.Uuid;
  };
  body: wire.ReasonBody;
  data: wire.JobOfQueue;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'retryDeadJob',
  method: 'POST',
  path: '/v1/admin/jobs/{queue}/dead/{id}/retry',
  fill: filled,
};

/** Delete a dead job. `DELETE /v1/admin/jobs/{queue}/dead/{id}` For administrator. */
export const deleteDeadJob: Operation<{
  params: {
    queue: string;
    id: wire.Uuid;
  };
  body: wire.ReasonBody;
  data: wire.JobOfQueue;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteDeadJob',
  method: 'DELETE',
  path: '/v1/admin/jobs/{queue}/dead/{id}',
  fill: filled,
};

/** Run a scheduled job now. `POST /v1/admin/jobs/{queue}/run` For administrator. */
export const runJobQueue: Operation<{
  params: {
    queue: string;
  };
  body: wire.ReasonBody;
  data: wire.RunJobQueueResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'QUEUE_NOT_SCHEDULED';
}> = {
  id: 'runJobQueue',
  method: 'POST',
  path: '/v1/admin/jobs/{queue}/run',
  fill: filled,
  isIdempotent: true,
};
