import { setTimeout as sleep } from 'node:timers/promises';
import type { ChartingOutcome, ChartingPlatform } from '../../../external/charting/port.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import type { PauseReason } from './account.model.ts';
import type { AccountStore } from './account.store.ts';

const FAULTS_TO_PAUSE = 5;
const MAX_PAUSE_MS = 60 * SECOND_MS;
const MIN_PAUSE_MS = 50;
/** Multiplies the pause after the first failed attempt when the session has ended. */
const SESSION_PAUSE_FACTOR = 15;
/** Slots are slightly further apart than the limit requires, to allow for network jitter. */
const SLACK = 1.01;

interface Deps {
  charting: ChartingPlatform | undefined;
  store: AccountStore;
  database: Database;
  alertOperators: AlertOperators;
  settings: {
    callsPerSecond: number;
    retryMs: number;
    /** Timeout of a call. The lease of a grant is three times as long: for a call, the wait for a check, and the check. */
    timeoutMs: number;
  };
}

const ALERTS: Record<PauseReason, string> = {
  unavailable: 'The charting platform does not respond; it is retried at least once a minute',
  'session-over': 'The session at the charting platform has ended: set new cookies (CHARTING_SESSION_ID)',
  limited: 'The charting platform reports too many calls; CHARTING_RATE may be too high',
};

const REFUSED: ChartingOutcome = {
  kind: 'refused',
  text: 'The charting platform refused this call, although the session of the account is not the reason: it may have blocked the user',
};

/** Neither a refusal of this call nor the end of the session is proven, so the call is tried again. */
const UNCHECKED: ChartingOutcome = {
  kind: 'fault',
  text: 'The charting platform denied this call, and gave no answer when its session was checked',
};

interface CallOptions {
  /** Whether the call needs the session. */
  withSession?: boolean;
  mayPause?: boolean;
  signal?: AbortSignal | undefined;
}

/** The account at the charting platform: keeps all processes within its limits, and pauses while calls fail. */
export function accountRules({ charting, store, database, alertOperators, settings }: Deps) {
  const { callsPerSecond, retryMs, timeoutMs } = settings;
  const intervalMs = (SECOND_MS / callsPerSecond) * SLACK;
  const within = (ms: number): number => Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, ms));

  async function pause(reason: PauseReason, forMs: number): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await store.pause(tx, reason, within(forMs)))) return;
      const details = { reason, message: ALERTS[reason] };
      await alertOperators(tx, { action: 'charting.paused', target: 'charting-account', details });
    });
  }

  /** Updates the account from the outcome of a call, which was made with its session or needed none. */
  async function learn(
    { kind, ...rest }: { kind: string; retryAfterMs?: number | undefined },
    withSession: boolean,
  ): Promise<void> {
    if (kind === 'session-over') return pause('session-over', SESSION_PAUSE_FACTOR * retryMs);
    if (kind === 'limited') return pause('limited', rest.retryAfterMs ?? 2 * retryMs);
    if (!isFailure(kind)) return withSession ? store.noteSuccess() : store.noteReached();
    const faults = await database.transaction((tx) => store.noteFault(tx));
    if (faults >= FAULTS_TO_PAUSE)
      await pause('unavailable', retryMs * 2 ** Math.min(10, faults - FAULTS_TO_PAUSE));
  }

  function platform(): ChartingPlatform {
    if (!charting) throw new Error('no charting platform is configured');
    return charting;
  }

  /**
   * Finds out why a call was answered as if the session had ended, by a check of the session from which the account learns.
   * Checks also while the account is paused; if a slot for it is too far away, the answer is believed.
   * @returns the outcome of the call: a refusal only if the session is valid, and `limited` after an abort
   */
  async function denied(signal: AbortSignal | undefined): Promise<ChartingOutcome> {
    const waitMs = await store.reserveCheck(intervalMs, timeoutMs);
    if (waitMs !== undefined && !(await hasWaited(waitMs, signal))) return { kind: 'limited' };
    const answer: ChartingOutcome =
      waitMs === undefined ? { kind: 'session-over' } : await platform().check();
    await learn(answer, true);
    if (!isFailure(answer.kind)) return REFUSED;
    return answer.kind === 'session-over' || answer.kind === 'limited' ? answer : UNCHECKED;
  }

  return {
    read: store.read,
    endWait: store.endWait,
    /**
     * Waits for the next call that the limits allow, for at most `maxWaitMs` if given.
     * @returns false while the account is paused or busy for longer: no call must be made
     */
    async turn(signal?: AbortSignal, maxWaitMs?: number): Promise<boolean> {
      const waitMs = await store.reserve(intervalMs, within(SESSION_PAUSE_FACTOR * retryMs), maxWaitMs);
      if (waitMs === undefined) return false;
      await sleep(waitMs, undefined, { signal });
      return true;
    },
    /** Checks the session in a slot that is due, and updates the account from the outcome. */
    async check(): Promise<ChartingOutcome> {
      const answer = await platform().check();
      await learn(answer, true);
      return answer;
    },
    /**
     * Makes a call whose slot is due, and updates the account from its outcome. An answer that denies the session counts
     * as a refusal of this call alone if the session turns out to be valid. The success of a call that needs no session
     * does not end a pause that is due to an expired session.
     * @param options.mayPause false for what members cause at will: its failures do not affect the account
     * @param options.signal ends the wait for a check of the session; the call is then to be tried again
     */
    async call<Answer extends { kind: string }>(
      request: (platform: ChartingPlatform) => Promise<Answer | ChartingOutcome>,
      { withSession = true, mayPause = true, signal }: CallOptions = {},
    ): Promise<Answer | ChartingOutcome> {
      const answer = await request(platform());
      if (answer.kind === 'session-over' && mayPause) return denied(signal);
      if (mayPause || !isFailure(answer.kind)) await learn(answer, withSession);
      return answer;
    },
  };
}

export type AccountRules = ReturnType<typeof accountRules>;

/** Waits; returns false if the signal has ended the wait. */
const hasWaited = (ms: number, signal: AbortSignal | undefined): Promise<boolean> =>
  sleep(ms, true, { signal }).catch(() => false);

/** Whether the outcome of a call says that further calls would fail, too. */
const isFailure = (kind: string): boolean =>
  kind === 'session-over' || kind === 'limited' || kind === 'fault' || kind === 'unknown-outcome';
