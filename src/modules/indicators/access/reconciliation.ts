import { setTimeout as sleep } from 'node:timers/promises';
import type { ChartingPlatform } from '../../../external/charting/port.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { type JobContext, job } from '../../../kernel/messaging/jobs.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { PauseReason } from '../account/account.model.ts';
import type { AccountRules } from '../account/account.ts';
import { GRANT_WAIT_MS } from '../contract.ts';
import { applyGrants, resumeAfterOutage } from '../jobs.ts';
import type { Grant } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { retried } from './access.transitions.ts';
import type { Decisions } from './deciding.ts';
import type { Call, Claimed, Outcome } from './observations.ts';
import type { Settling } from './settling.ts';

interface Deps extends Pick<Core, 'database' | 'jobs' | 'clock' | 'log'> {
  store: AccessStore;
  account: AccountRules;
  decisions: Decisions;
  settling: Settling;
  settings: { concurrency: number; hasPlatform: boolean; timeoutMs: number };
}

type Claim = (tx: Transaction, at: Date) => Promise<Grant | undefined>;

/** How long a job runs before it enqueues itself again. */
const TURN_MS = 55 * SECOND_MS;
const MAX_IDLE_MS = 200;
/** Interval at which a request checks whether the first attempt has ended. */
const ATTEMPT_POLL_MS = 25;
const RESUMED_AT_ONCE = 500;
/** Of a list of grants; the pacing of the charting platform allows about as many in the time there is. */
const ATTEMPTED_AT_ONCE = 8;

const WORKER = 'service:indicators';
const NOT_YET = 'The charting platform has not responded yet; access follows automatically';
const PAUSED: Record<PauseReason, string> = {
  'session-over':
    'The session at the charting platform has expired; access follows once an operator has renewed it',
  limited: 'The charting platform currently accepts no more calls; access follows automatically',
  unavailable: 'The charting platform is unavailable; access follows automatically',
};

/**
 * Reconciles the charting platform with the wanted state. A grant is claimed for one call at a time, under a lease. The
 * entry that a call may create is recorded before the call, and after a call without an answer the grant is not
 * processed until the call can no longer take effect. Therefore the last request prevails, in any order of requests,
 * answers and crashes.
 */
export function grantReconciliation(deps: Deps) {
  const { store, account, decisions, settling, database, jobs, clock, log, settings } = deps;
  const mover = (why: string) => ({ actor: WORKER, why });

  /**
   * Performs the next step of one due grant, in a reserved slot. Returns the id of the grant; undefined if none was
   * due. If the claim is older than a timeout by then, no call is made: another process may have claimed the grant since.
   */
  async function performNext(claim: Claim, signal: AbortSignal): Promise<ObjectId | undefined> {
    let found: Grant | undefined;
    let sinceMs = 0;
    const decision = await database.transaction(async (tx) => {
      sinceMs = clock.elapsedMs();
      const at = clock.date();
      found = await claim(tx, at);
      return found && decisions.decide(tx, found, at);
    });
    // The lease may be over if the process stood still or the database was slow, and what this call would grant be revoked
    // since.
    const isLate = clock.elapsedMs() - sinceMs > settings.timeoutMs;
    if (decision && 'step' in decision) {
      if (!isLate) await settling.settle(decision, await request(decision, signal));
    } else if (decision && found) await settling.arrive(found.id, decision.why);
    return found?.id;
  }
  const doNext = (id: ObjectId, signal: AbortSignal) =>
    performNext((tx, at) => store.claimOne(tx, id, at), signal);

  const request = ({ step }: Claimed, signal: AbortSignal): Promise<Outcome> =>
    account.call<Outcome>((platform) => called(platform, step), {
      withSession: step.do !== 'resolve',
      signal,
    }) as Promise<Outcome>;

  /**
   * Runs one of several concurrent workers, until no grant is due or the time is up. The steps of one grant follow each
   * other directly, so that each acts on fresh observations.
   */
  async function lane(signal: AbortSignal, untilMs: number): Promise<void> {
    let current: ObjectId | undefined;
    while (!signal.aborted && performance.now() < untilMs) {
      const due = await store.whenDue();
      const inMs = due === undefined ? Number.POSITIVE_INFINITY : due.getTime() - clock.now();
      if (inMs > TURN_MS) return;
      const mayGo = inMs <= 0 && (!settings.hasPlatform || (await account.turn(signal)));
      const before = current;
      current = mayGo
        ? ((before && (await doNext(before, signal))) ?? (await performNext(store.claim, signal)))
        : undefined;
      if (current === undefined) await sleep(MAX_IDLE_MS, undefined, { signal });
    }
  }

  async function work({ signal }: Pick<JobContext, 'signal'>): Promise<void> {
    const untilMs = performance.now() + TURN_MS;
    const lanes = Array.from({ length: settings.concurrency }, () => lane(signal, untilMs));
    const failure = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected' && !signal.aborted) throw failure.reason;
    if (!signal.aborted && performance.now() >= untilMs)
      await database.transaction((tx) => jobs.enqueue(tx, applyGrants, [{}]));
  }

  /** Retries grants that failed because of an outage, after it has ended. */
  async function resume({ signal }: Pick<JobContext, 'signal'>): Promise<void> {
    if (!settings.hasPlatform || !(await store.hasFailedByOutage())) return;
    if (!(await account.turn(signal))) return;
    const { kind } = await account.check();
    if (kind !== 'done') return;
    await database.transaction(async (tx) => {
      const at = clock.date();
      const again = await store.failedByOutage(tx, RESUMED_AT_ONCE);
      const grants = again.map((grant) => ({ ...retried(grant, at), priority: 0 }));
      await store.put(tx, grants, mover('The charting platform is available again'), at);
      await jobs.enqueue(tx, applyGrants, [{}]);
    });
  }

  /** Processes one grant until its first attempt ends, concurrently with the workers. */
  async function push(id: ObjectId, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (settings.hasPlatform && !(await account.turn(signal))) return;
      if (!(await doNext(id, signal))) return;
    }
  }

  const runJob = job(applyGrants, {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: async (_data, context) => work(context),
  });
  const resumeJob = job(resumeAfterOutage, {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: async (_data, context) => resume(context),
  });

  /**
   * Attempts a grant immediately, and waits for its first attempt until the end.
   * @returns the reason why there is no access yet; undefined once there is
   */
  async function attempt(id: ObjectId, end: AbortSignal): Promise<string | undefined> {
    const pushing = push(id, end).catch((error: Error) => {
      if (error.name !== 'AbortError')
        log.warn({ access: id, error: error.message }, 'applying a grant failed');
    });
    let isOver = false;
    void pushing.then(() => {
      isOver = true;
    });
    for (;;) {
      const hasEnded = end.aborted;
      // Another worker may have claimed the grant; its attempt counts too.
      const reason = isOver ? (await account.read()).pauseReason : null;
      const grant = await store.find(id);
      if (!grant || grant.status === 'active') return undefined;
      if (grant.lastError !== null) {
        // The workers may have ended while this attempt held the grant, and it is due again before the next minute.
        await database.transaction((tx) => jobs.enqueue(tx, applyGrants, [{}]));
        return grant.lastError;
      }
      if (reason !== null) return PAUSED[reason];
      if (hasEnded) return NOT_YET;
      await sleep(ATTEMPT_POLL_MS);
    }
  }

  return {
    jobs: [runJob, resumeJob],
    /** Attempts a grant for at most three seconds. @see attempt */
    attempt: (id: ObjectId) => attempt(id, AbortSignal.timeout(GRANT_WAIT_MS)),
    /** Attempts grants for at most three seconds; returns the reasons why there is no access yet. */
    async attemptAll(ids: ObjectId[]): Promise<Map<ObjectId, string>> {
      const end = AbortSignal.timeout(GRANT_WAIT_MS);
      const reasons = new Map<ObjectId, string>();
      const waiting = [...ids];
      const attemptNext = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          const reason = await attempt(id, end);
          if (reason !== undefined) reasons.set(id, reason);
        }
      };
      await Promise.all(Array.from({ length: ATTEMPTED_AT_ONCE }, attemptNext));
      return reasons;
    },
  };
}

/** Makes the call of a step. */
function called(platform: ChartingPlatform, step: Call): Promise<Outcome> {
  if (step.do === 'resolve') return platform.resolve(step.handle);
  const { pineId, handle } = step.entry;
  if (step.do === 'look') return platform.lookUpHolder(pineId, handle);
  return step.do === 'add' ? platform.grant(pineId, handle) : platform.revoke(pineId, handle);
}
