import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import type { DeadJob } from '../../../kernel/messaging/dead-jobs.ts';
import { deadLetterOf, ownerOfDeadLetters } from '../../../kernel/messaging/dead-letters.ts';
import type { QueueFigures } from '../../../kernel/messaging/queue-figures.ts';
import { forEachId } from '../../../kernel/operations/bulk.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import { nextRunOf } from '../../../kernel/time/cron.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';

export const queueNotFound = notFound('Queue');
export const jobNotFound = notFound('Job');
export const queueNotScheduled = failure(
  409,
  'QUEUE_NOT_SCHEDULED',
  'Only jobs with a schedule can be run by hand; the others need data',
);

/** A dead job; the id in lower case, as the audit log names it. */
interface DeadJobId {
  queue: string;
  id: string;
}

type JobDeps = Pick<Core, 'database' | 'queues' | 'audit' | 'clock'>;

/** Background work as operators see and manage it. */
export function jobRules({ database, queues, audit, clock }: JobDeps) {
  const { dead } = queues;

  /** Returns the figures of ordinary queues, each with those of its dead-letter queue. */
  async function figures(): Promise<{ queue: QueueFigures; dead: QueueFigures | undefined }[]> {
    const all = await queues.queues();
    const byName = new Map(all.map((one) => [one.queue, one]));
    return all
      .filter(({ queue }) => ownerOfDeadLetters(queue) === undefined)
      .map((queue) => ({ queue, dead: byName.get(deadLetterOf(queue.queue)) }));
  }

  const since = (seconds: number): Date => new Date(clock.now() - seconds * SECOND_MS);

  const record = (
    tx: Transaction,
    { queue, id }: { queue: string; id?: string },
    action: string,
    actor: Actor,
  ) => audit.record(tx, { ...actor, action, target: id ?? queue, targetName: queue, details: { queue } });

  /** Runs a dead job again, with all attempts. @throws jobNotFound */
  async function retry({ queue, id }: DeadJobId, actor: Actor): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await dead.lock(tx, queue, id))) throw jobNotFound();
      await queues.revive(tx, queue, id);
      await record(tx, { queue, id }, 'job.retried', actor);
    });
  }

  return {
    /** Returns all queues, by name. */
    async list() {
      const [all, schedules] = await Promise.all([figures(), queues.schedules()]);
      return all
        .map(({ queue: { queue, ready, active, delayed, oldestSeconds }, dead: letters }) => {
          const cron = schedules.get(queue);
          return {
            queue,
            ready,
            active,
            delayed,
            dead: letters?.ready ?? 0,
            oldestAt: ready > 0 ? since(oldestSeconds) : null,
            nextRunAt: (cron && nextRunOf(cron, clock.date())) || null,
          };
        })
        .sort((a, b) => (a.queue < b.queue ? -1 : 1));
    },
    /** Returns the number of dead jobs, and when the oldest of them died. */
    async countDead(): Promise<{ count: number; oldestAt: Date | null }> {
      const letters = (await figures()).flatMap(({ dead: one }) => (one && one.ready > 0 ? [one] : []));
      if (letters.length === 0) return { count: 0, oldestAt: null };
      const count = letters.reduce((sum, { ready }) => sum + ready, 0);
      return { count, oldestAt: since(Math.max(...letters.map(({ oldestSeconds }) => oldestSeconds))) };
    },
    /** @throws queueNotFound */
    async mustExist(queue: string): Promise<void> {
      if (!(await figures()).some((one) => one.queue.queue === queue)) throw queueNotFound();
    },
    /** @throws jobNotFound if the page begins after the id of a job that is not dead */
    async pageOfDead(queue: string, request: PageRequest): Promise<Page<DeadJob>> {
      const page = await dead.pageOf(queue, request);
      if (!page) throw jobNotFound();
      return page;
    },
    retry,
    /** Runs those of these jobs again that are dead. */
    retryAll: (queue: string, ids: string[], actor: Actor) =>
      forEachId(
        ids.map((id) => id.toLowerCase()),
        { retried: false },
        async (id) => {
          await retry({ queue, id }, actor);
          return { retried: true };
        },
      ),
    /** Deletes a dead job for good. @throws jobNotFound */
    async remove({ queue, id }: DeadJobId, actor: Actor): Promise<void> {
      await database.transaction(async (tx) => {
        if (!(await dead.lock(tx, queue, id))) throw jobNotFound();
        await dead.delete(tx, queue, id);
        await record(tx, { queue, id }, 'job.deleted', actor);
      });
    },
    /** Runs a scheduled job now. @throws queueNotScheduled */
    async run(queue: string, actor: Actor, idempotency: IdempotencyContext): Promise<{ queue: string }> {
      if (!(await queues.schedules()).has(queue)) throw queueNotScheduled();
      const started = { queue };
      await database.transaction(async (tx) => {
        await queues.startNow(tx, queue);
        await record(tx, { queue }, 'job.started', actor);
        await answered(tx, { idempotency }, started);
      });
      return started;
    },
  };
}

export type JobRules = ReturnType<typeof jobRules>;
