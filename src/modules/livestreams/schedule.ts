import type { ScheduledSession, ScheduleUpstream } from '../../external/schedule/port.ts';
import type { Core } from '../../kernel/core.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { Actor } from '../../kernel/records/audit.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { startOfDay, startOfWeek } from '../../kernel/time/zones.ts';
import type { ScheduleStore } from './schedule.store.ts';

export const scheduleUnavailable = failure(503, 'SCHEDULE_UNAVAILABLE', 'The schedule is unavailable', {
  retryAfterSeconds: 10,
});

export const MIRROR_EVERY_MINUTES = 5;
/** Lifetime of a cached response of the upstream. */
const KEPT_MS = 5 * SECOND_MS;
const MAX_KEPT = 200;
/** The mirror holds sessions that start between a week ago and a quarter of a year ahead. */
const MIRRORED_DAYS = { before: 7, after: 90 };
export const UPCOMING_DAYS = 30;
/** Maximum duration of a session, when searching for sessions that overlap a period. */
const LONGEST_SESSION_MS = MIRRORED_DAYS.before * DAY_MS;

/** A part of the schedule, with its source. */
export interface Schedule {
  source: 'upstream' | 'mirror';
  /** Whether the mirror was used because the upstream did not respond. */
  degraded: boolean;
  from: Date;
  to: Date;
  timezone: string;
  sessions: ScheduledSession[];
}

/** The changes made by a synchronization, or that a dry run would make. */
export interface SyncReport {
  dryRun: boolean;
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}

interface ScheduleDeps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  upstream: ScheduleUpstream | undefined;
  store: ScheduleStore;
  onError: (error: Error) => void;
}

/** The upstream schedule, with a local mirror as a fallback. */
export function scheduleRules({ upstream, store, database, audit, clock, onError }: ScheduleDeps) {
  const kept = new Map<string, { untilMs: number; answer: Promise<ScheduledSession[]> }>();

  function fetchedOnce(owner: ScheduleUpstream, from: Date, to: Date): Promise<ScheduledSession[]> {
    const key = `${from.getTime()} ${to.getTime()}`;
    const remembered = kept.get(key);
    if (remembered && remembered.untilMs > clock.elapsedMs()) return remembered.answer;
    if (kept.size >= MAX_KEPT) kept.clear();
    const answer = owner.between(from, to);
    kept.set(key, { untilMs: clock.elapsedMs() + KEPT_MS, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  }

  async function read(from: Date, to: Date, timezone: string, educatorId?: ObjectId): Promise<Schedule> {
    const common = { from, to, timezone };
    if (upstream) {
      try {
        // The upstream selects sessions by their start; earlier ones may still be in progress.
        const all = await fetchedOnce(upstream, new Date(from.getTime() - LONGEST_SESSION_MS), to);
        const sessions = all
          .filter(({ endsAt }) => endsAt > from)
          .filter((one) => educatorId === undefined || one.educatorId === educatorId)
          .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : 1));
        return { source: 'upstream', degraded: false, ...common, sessions };
      } catch (error) {
        onError(error as Error);
      }
    }
    const sessions = await store.during(from, to, LONGEST_SESSION_MS, educatorId);
    return { source: 'mirror', degraded: upstream !== undefined, ...common, sessions };
  }

  const now = () => new Date(clock.now());

  /**
   * Synchronizes the mirror.
   * @param actor the administrator who wants it, for the audit log
   * @throws scheduleUnavailable, leaving the mirror unchanged
   */
  async function sync(dryRun: boolean, actor?: Actor): Promise<SyncReport> {
    if (!upstream) throw scheduleUnavailable();
    const from = startOfDay(now(), 'UTC', -MIRRORED_DAYS.before);
    const to = startOfDay(now(), 'UTC', MIRRORED_DAYS.after);
    const theirs = await upstream.between(from, to).catch((error) => {
      throw Object.assign(scheduleUnavailable(), { cause: error });
    });
    return database.transaction(async (tx) => {
      await tx.lock('livestreams.sync');
      const ours = new Map((await store.beginning(from, to, tx)).map((one) => [one.id, one]));
      const wanted = new Map(theirs.map((one) => [one.id, one]));
      const added = [...wanted.values()].filter(({ id }) => !ours.has(id));
      const changed = [...wanted.values()].filter(({ id, ...rest }) => {
        const { id: _, ...before } = ours.get(id) ?? { id };
        return ours.has(id) && JSON.stringify(inOrder(rest)) !== JSON.stringify(inOrder(before));
      });
      const removed = [...ours.keys()].filter((id) => !wanted.has(id));
      const counts = { created: added.length, updated: changed.length, removed: removed.length };
      if (!dryRun && added.length + changed.length + removed.length > 0) {
        await store.put(tx, [...added, ...changed], now());
        await store.remove(tx, removed);
        if (actor) await audit.record(tx, { ...actor, action: 'schedule.synchronized', details: counts });
      }
      return { dryRun, ...counts, unchanged: wanted.size - added.length - changed.length };
    });
  }

  const mirror = job(jobKind('livestreams.sync-schedule'), {
    cron: `*/${MIRROR_EVERY_MINUTES} * * * *`,
    atStart: true,
    retries: 0,
    concurrency: 1,
    run: async () => {
      // Without an upstream, or while it is unavailable, the mirror is unchanged.
      if (upstream) await sync(false).catch(onError);
    },
  });

  return {
    week: (timezone: string): Promise<Schedule> =>
      read(startOfWeek(now(), timezone), startOfWeek(now(), timezone, 1), timezone),
    today: (timezone: string): Promise<Schedule> =>
      read(startOfDay(now(), timezone), startOfDay(now(), timezone, 1), timezone),
    /** Returns the sessions of an educator from today onwards. */
    ofEducator: (educatorId: ObjectId, timezone: string): Promise<Schedule> =>
      read(startOfDay(now(), timezone), startOfDay(now(), timezone, UPCOMING_DAYS), timezone, educatorId),
    sync,
    jobs: [mirror],
  };
}

const inOrder = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

export type ScheduleRules = ReturnType<typeof scheduleRules>;
