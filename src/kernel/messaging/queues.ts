import type { PgBoss, Schedule } from 'pg-boss';
import { deadLetterOf } from './dead-letters.ts';
import type { Job } from './jobs.ts';

/** A worker without a heartbeat for this long is presumed dead, and its job is reassigned. */
const HEARTBEAT_SECONDS = 20;
/** Of scheduled jobs, few of which are done in a day, so that operators see when they last ran. */
const KEEP_DONE_SECONDS = 24 * 3600;
/** Of all others, of which millions may be done in a day: as long as one looks for a job that was just enqueued. */
const KEEP_FREQUENT_SECONDS = 15 * 60;
const KEEP_DEAD_SECONDS = 30 * 24 * 3600;
/** A schedule that was due while no process ran is caught up once. */
const SCHEDULING = { tz: 'UTC', missed: 'once' } as const;

/**
 * Creates the queues that do not exist, and updates those with other settings. On a prepared database it only reads.
 */
export async function prepareQueues(boss: PgBoss, jobs: Job[]): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule]));
  for (const { kind, retries, timeoutSeconds, cron } of jobs) {
    const { name } = kind;
    const deadLetter = deadLetterOf(name);
    if (!queues.has(deadLetter)) {
      await boss.createQueue(deadLetter, {
        retentionSeconds: KEEP_DEAD_SECONDS,
        deleteAfterSeconds: KEEP_DEAD_SECONDS,
      });
    }
    const options = {
      retryLimit: retries ?? 8,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 3600,
      expireInSeconds: timeoutSeconds ?? 300,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: cron ? KEEP_DONE_SECONDS : KEEP_FREQUENT_SECONDS,
      notify: true,
      deadLetter,
    };
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, options);
    else if (differs(queue, options)) await boss.updateQueue(name, options);
    if (cron && isScheduledOtherwise(schedules.get(name), cron))
      await boss.schedule(name, cron, {}, SCHEDULING);
  }
}

/** Whether the stored settings differ from these. */
const differs = <Settings extends object>(
  stored: Partial<Settings> | undefined,
  settings: Settings,
): boolean => Object.entries(settings).some(([name, value]) => stored?.[name as keyof Settings] !== value);

const isScheduledOtherwise = (stored: Schedule | undefined, cron: string): boolean =>
  stored?.cron !== cron || stored.timezone !== SCHEDULING.tz || stored.options?.missed !== SCHEDULING.missed;
