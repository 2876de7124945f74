import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import { bulkFailure, bulkIds } from '../../../kernel/operations/bulk.ts';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import { DateTime, nullable, refusedAs, Uuid } from '../../../kernel/operations/shapes.ts';

const QueueName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._:-]{0,199}$',
  examples: ['merchant.submit-payout'],
});
export const queueParams = Type.Object({ queue: refusedAs(QueueName, invalidId('queue')) });
export const deadJobParams = Type.Object({
  ...queueParams.properties,
  id: refusedAs(Uuid, invalidId('job')),
});

export const QueueShape = Type.Object(
  {
    queue: QueueName,
    ready: Type.Integer({ description: 'Jobs that wait to be run, at most 10,000', examples: [3] }),
    active: Type.Integer({ description: 'Jobs that are running', examples: [1] }),
    delayed: Type.Integer({ description: 'Jobs for later, retries included, at most 10,000', examples: [0] }),
    dead: Type.Integer({
      description: 'Jobs that failed all their attempts, at most 10,000',
      examples: [0],
    }),
    oldestAt: nullable({ ...DateTime, description: 'Since when the oldest ready job has waited' }),
    nextRunAt: nullable({
      ...DateTime,
      description: 'When its schedule runs it next; null without a schedule',
    }),
  },
  { $id: 'JobQueue' },
);

export const ListDeadJobsQuery = Type.Object(momentQuery(['failedAt', 'id'], { before: 'MomentOrUuid' }));

export const DeadJobShape = Type.Object(
  {
    id: Uuid,
    data: Type.Unsafe<unknown>({ description: 'Shortened, with secrets redacted' }),
    error: nullable(Type.String({ examples: ['The provider answered 503'] })),
    attempts: Type.Integer({ examples: [9] }),
    traceId: nullable(Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] })),
    failedAt: DateTime,
  },
  { $id: 'DeadJob' },
);

export const RetryDeadJobsBody = Type.Object({ ids: bulkIds(refusedAs(Uuid, invalidId('job'))) });

export const JobOfQueue = Type.Object({ id: Uuid, queue: QueueName }, { $id: 'JobOfQueue' });

export const StartedQueue = Type.Object({ queue: QueueName });

export const RetriedJobs = Type.Array(
  Type.Object({ id: Uuid, retried: Type.Boolean(), ...bulkFailure }, { $id: 'RetriedJob' }),
);
