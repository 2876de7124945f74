import type { Grant } from './access.model.ts';
import { arrived, failed, isOfFormerHandle, isUnderWay, nextStep } from './access.transitions.ts';
import type { Call, Outcome } from './observations.ts';

interface Deps {
  /** A random number from 0 to 1, used as jitter for pauses. */
  random?: () => number;
  settings: { maxAttempts: number; retryMs: number };
}

const MAX_RETRY_MS = 600_000;

const SESSION_OVER = 'The session at the charting platform has expired; an operator has to renew it';
const LIMITED = 'The charting platform currently accepts no more calls';
const UNKNOWN_SCRIPT =
  'The charting platform does not know the script of this indicator, or it belongs to another account: check the pineId';
const unknownUser = (handle: string): string =>
  `The charting platform has no user named ${handle}: ask the member for the correct username`;
/** Who changes their name at the charting platform keeps what the former name was given. */
const lostUser = (handle: string): string =>
  `The charting platform has no user named ${handle} any more, who was given access: look for their new name among the holders of the script, make the change there manually and mark it as resolved`;

/** What a grant becomes by the outcome of a call to the charting platform, as pure functions. */
export function conclusionRules({ settings, random = Math.random }: Deps) {
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
        if (step.do !== 'remove') return failed(free, unknownUser(grant.handle), 'unknown-user');
        return isOfFormerHandle(grant, step.entry)
          ? goneOn(free, at)
          : failed(free, lostUser(step.entry.handle), 'lost-user');
      case 'unknown-script':
        return failed(free, UNKNOWN_SCRIPT, 'unknown-script');
      case 'session-over':
      case 'limited': {
        const lastError = outcome.kind === 'limited' ? LIMITED : SESSION_OVER;
        // The account pauses, and the attempt does not count. Others go first afterwards, in case it is this grant alone
        // whose calls are not accepted.
        const attempts = grant.attempts - 1;
        return { ...free, attempts, lastError, errorKind: 'account', priority: 0, dueAt: at };
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

  return { concluded, superseded };
}

export type Conclusions = ReturnType<typeof conclusionRules>;

/** Whether an unanswered call may still take effect. */
const isChange = (step: Call): boolean => step.do === 'add' || step.do === 'remove';
