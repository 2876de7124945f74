import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { accepted, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import {
  DeadJobShape,
  deadJobParams,
  JobOfQueue,
  ListDeadJobsQuery,
  QueueShape,
  queueParams,
  RetriedJobs,
  RetryDeadJobsBody,
  StartedQueue,
} from './jobs.schemas.ts';
import { type JobRules, jobNotFound, queueNotFound, queueNotScheduled } from './jobs.ts';

const tag = 'Jobs';
const base = '/v1/admin/jobs';

/** Returns which job a path names, by the id that the queue and the audit log have: hexadecimal digits may be capitals. */
const jobOf = ({ queue, id }: { queue: string; id: string }) => ({ queue, id: id.toLowerCase() });

export const jobOperations = (jobs: JobRules): Operation[] => [
  operation({
    method: 'GET',
    path: base,
    id: 'listJobQueues',
    tag,
    summary: 'List the queues of background jobs',
    access: administrator,
    success: ok(Type.Array(QueueShape)),
    handle: () => jobs.list(),
  }),
  operation({
    method: 'GET',
    path: `${base}/:queue/dead`,
    id: 'listDeadJobs',
    tag,
    summary: 'List the jobs of a queue that failed all their attempts, newest first',
    description: 'They are kept for 30 days.',
    access: administrator,
    params: queueParams,
    query: ListDeadJobsQuery,
    success: pageOf(DeadJobShape),
    failures: [queueNotFound, jobNotFound],
    load: ({ params }) => jobs.mustExist(params.queue),
    handle: ({ params, query }) => jobs.pageOfDead(params.queue, momentPageOf(query)),
  }),
  operation({
    method: 'POST',
    path: `${base}/:queue/dead/retry`,
    id: 'retryDeadJobs',
    tag,
    summary: 'Run several dead jobs again',
    access: administrator,
    params: queueParams,
    body: RetryDeadJobsBody,
    success: ok(RetriedJobs),
    failures: [queueNotFound],
    load: ({ params }) => jobs.mustExist(params.queue),
    handle: ({ params, body, caller, facts }) =>
      jobs.retryAll(params.queue, body.ids, actorOf(caller, facts)),
  }),
  operation({
    method: 'POST',
    path: `${base}/:queue/dead/:id/retry`,
    id: 'retryDeadJob',
    tag,
    summary: 'Run a dead job again, with all its attempts',
    access: administrator,
    params: deadJobParams,
    success: ok(JobOfQueue, { message: 'The job runs again' }),
    failures: [queueNotFound, jobNotFound],
    load: ({ params }) => jobs.mustExist(params.queue),
    handle: async ({ params, caller, facts }) => {
      const one = jobOf(params);
      await jobs.retry(one, actorOf(caller, facts));
      return one;
    },
  }),
  operation({
    method: 'DELETE',
    path: `${base}/:queue/dead/:id`,
    id: 'deleteDeadJob',
    tag,
    summary: 'Delete a dead job',
    access: administrator,
    params: deadJobParams,
    success: ok(JobOfQueue, { message: 'Job deleted' }),
    failures: [queueNotFound, jobNotFound],
    load: ({ params }) => jobs.mustExist(params.queue),
    handle: async ({ params, caller, facts }) => {
      const one = jobOf(params);
      await jobs.remove(one, actorOf(caller, facts));
      return one;
    },
  }),
  operation({
    method: 'POST',
    path: `${base}/:queue/run`,
    id: 'runJobQueue',
    tag,
    summary: 'Run a scheduled job now',
    access: administrator,
    idempotent: true,
    params: queueParams,
    success: accepted(StartedQueue, { message: 'The job is queued' }),
    failures: [queueNotFound, queueNotScheduled],
    load: ({ params }) => jobs.mustExist(params.queue),
    handle: ({ params: { queue }, caller, facts, idempotency }) =>
      jobs.run(queue, actorOf(caller, facts), idempotency),
  }),
];
