import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { accessBegan, accessEnded } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import type { Grant } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { arrived, failed, isUnderWay, nextStep } from './access.transitions.ts';
import { newsStore } from './news.store.ts';
import type { Call, Claimed, Observations, Outcome } from './observations.ts';

interface Deps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: AccessStore;
  holders: HolderStore;
  observations: Observations;
  alertOperators: AlertOperators;
  /** A random number from 0 to 1, used as jitter for pauses. */
  random?: () => number;
  settings: { maxAttempts: number; retryMs: number };
}

const MAX_RETRY_MS = 600_000;
const WORKER = 'service:indicators';

const SESSION_OVER = 'The session at the charting platform has expired; an operator has to renew it';
const LIMITED = 'The charting platform currently accepts no more calls';
const UNKNOWN_SCRIPT =
  'The charting platform does not know the script of this indicator, or it belongs to another account: check the pineId';
const unknownUser = (handle: string): string =>
  `The charting platform has no user named ${handle}: ask the member for the correct username`;

interface Change {
  before: Grant;
  after: Grant;
  why: string;
  at: Date;
}

/** Applies the results of calls to the charting platform. */
export function settlingRules(deps: Deps) {
  const {
    store,
    holders,
    observations,
    database,
    events,
    alertOperators,
    clock,
    settings,
    random = Math.random,
  } = deps;

  /** Returns the next state of the grant for which the call was made. */
  function concluded(grant: Grant, step: Call, outcome: Outcome, at: Date): Grant {
    const free = { ...grant, leasedUntil: null };
    switch (outcome.kind) {
      case 'known':
        return { ...free, attempts: 0, dueAt: at };
      case 'not-held':
        // A lookup does not count as an attempt of its own; repeated failures still reach the limit.
        return { ...free, attempts: grant.attempts - 1, dueAt: at };
      case 'held':
      case 'done':
      case 'already':
        return goneOn(free, at);
      case 'unknown-user':
        return step.do === 'remove'
          ? goneOn(free, at)
          : failed(free, unknownUser(grant.handle), 'unknown-user');
      case 'unknown-script':
        return failed(free, UNKNOWN_SCRIPT, 'unknown-script');
      case 'session-over':
      case 'limited': {
        const lastError = outcome.kind === 'limited' ? LIMITED : SESSION_OVER;
        // The account pauses, and the attempt does not count.
        return { ...free, attempts: grant.attempts - 1, lastError, errorKind: 'account', dueAt: at };
      }
      case 'refused':
        return triedAgain(free, outcome.text, 'refused', at);
      case 'fault':
        return triedAgain(free, outcome.text, 'unavailable', at);
      case 'unknown-outcome':
        return triedAgain(isChange(step) ? grant : free, outcome.text, 'unavailable', at);
    }
  }

  function goneOn(grant: Grant, at: Date): Grant {
    const settled = nextStep(grant, grant.handle).do === 'settle';
    return settled
      ? arrived(grant, at)
      : { ...grant, attempts: 0, lastError: null, errorKind: null, dueAt: at };
  }

  function triedAgain(
    grant: Grant,
    lastError: string,
    errorKind: 'refused' | 'unavailable',
    at: Date,
  ): Grant {
    if (grant.attempts >= settings.maxAttempts) return failed(grant, lastError, errorKind);
    const pauseMs = Math.min(MAX_RETRY_MS, settings.retryMs * 2 ** (grant.attempts - 1));
    const next = at.getTime() + pauseMs * (0.75 + random() / 4);
    const dueAt = new Date(Math.max(next, grant.leasedUntil?.getTime() ?? 0));
    return { ...grant, lastError, errorKind, dueAt };
  }

  /** The wanted state has changed since the call was made, so its purpose is obsolete. */
  function superseded(grant: Grant, step: Call, outcome: Outcome, at: Date): Grant {
    const isOpen = outcome.kind === 'unknown-outcome' && isChange(step);
    const leasedUntil = isOpen ? grant.leasedUntil : null;
    return { ...grant, leasedUntil, dueAt: isUnderWay(grant) ? (leasedUntil ?? at) : grant.dueAt };
  }

  /** Notifies the member once, when all their pending changes are complete. */
  async function publishChanges(tx: Transaction, userId: ObjectId): Promise<void> {
    const news = await newsStore.take(tx, userId, clock.date());
    const scannersOf = (status: string) =>
      news.filter((one) => one.status === status).map(({ indicatorId }) => indicatorId);
    const [began, ended] = [scannersOf('active'), scannersOf('revoked')];
    if (began.length > 0) await events.publish(tx, accessBegan, { userId, scannerIds: began });
    if (ended.length > 0) await events.publish(tx, accessEnded, { userId, scannerIds: ended });
  }

  async function write(tx: Transaction, { before, after, why, at }: Change): Promise<void> {
    if (after.status === 'revoked' && (await holders.isErased(tx, after.userId)))
      return store.delete(tx, [after.id]);
    await store.put(tx, [after], { actor: WORKER, why }, at);
    if (isUnderWay(after)) return;
    if (after.status === 'failed' && before.status !== 'failed') await alert(tx, after);
    await publishChanges(tx, after.userId);
  }

  async function alert(tx: Transaction, grant: Grant): Promise<void> {
    const { indicatorId, userId, failedAction, lastError, attempts } = grant;
    const details = { indicatorId, userId, failedAction, lastError, attempts };
    await alertOperators(tx, { action: 'indicators.access-failed', target: grant.id, details });
  }

  return {
    tell: publishChanges,
    /** Alerts operators to a grant that requires a person. */
    alert,
    /** Applies the outcome of the call for a claimed grant. */
    settle: (claimed: Claimed, outcome: Outcome): Promise<void> =>
      database.transaction(async (tx) => {
        await store.lockMember(tx, claimed.grant.userId);
        const { step } = claimed;
        const before = await store.lock(tx, claimed.grant.id, 'entry' in step ? [step.entry] : []);
        if (!before) return;
        const at = clock.date();
        const updated = await observations.record(tx, before, { claimed, outcome, at });
        const isCurrent = before.version === claimed.grant.version;
        const after = isCurrent
          ? concluded(updated, step, outcome, at)
          : superseded(updated, step, outcome, at);
        await write(tx, { before, after, why: whyOf(step, outcome), at });
      }),

    /** Completes a grant that needs no further call. */
    arrive: (id: ObjectId, why: string): Promise<void> =>
      database.transaction(async (tx) => {
        const found = await store.find(id, tx);
        if (!found) return;
        await store.lockMember(tx, found.userId);
        const before = await store.lock(tx, id);
        const at = clock.date();
        if (!before || before.dueAt === null || before.dueAt > at) return;
        if (nextStep(before, before.handle).do !== 'settle') return;
        await write(tx, { before, after: arrived(before, at), why, at });
      }),
  };
}

export type Settling = ReturnType<typeof settlingRules>;

/** Whether an unanswered call may still take effect. */
const isChange = (step: Call): boolean => step.do === 'add' || step.do === 'remove';

const WORDS = {
  resolve: 'Looking up the handle',
  look: 'Looking for the handle',
  add: 'Adding the handle',
  remove: 'Removing the handle',
};

const whyOf = (step: Call, outcome: Outcome): string => {
  const text = 'text' in outcome ? `${outcome.kind}: ${outcome.text}` : outcome.kind;
  return `${WORDS[step.do]} at the charting platform: ${text}`;
};
