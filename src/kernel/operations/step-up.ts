import type { Transaction } from '../database/queries.ts';
import { failure } from '../failures.ts';
import type { Caller, UserCaller } from './callers.ts';

/** The caller has a second factor, and this session has not shown it lately. Clients step up, and repeat the request. */
export const stepUpRequired = failure(
  403,
  'STEP_UP_REQUIRED',
  'Confirm with your second factor first (POST /v1/auth/step-up)',
);

/**
 * Whether the session of this caller may use operations guarded by a second factor; members without a second factor
 * always may.
 */
export const hasSteppedUp = (caller: Caller): boolean =>
  caller.kind !== 'user' || !caller.hasFactor || caller.isElevated;

/** Whether an operation needs a step-up: always, never, or for some bodies. */
export type StepUpRule<Body> = boolean | ((body: Body) => boolean);

interface Guarded {
  needsStepUp?: StepUpRule<never>;
  isSensitive?: boolean;
}

/** What moves money or rights needs a step-up unless the operation says otherwise. */
export const stepUpRuleOf = ({ needsStepUp, isSensitive = false }: Guarded): StepUpRule<never> =>
  needsStepUp ?? isSensitive;

/** Guards writes by a second factor; members without one are never refused. */
export interface StepUp {
  /**
   * Checks, in the transaction of what a step-up guards, that the session of a member with a second factor is elevated.
   * @throws stepUpRequired
   */
  mustHaveSteppedUp(tx: Transaction, caller: Caller): Promise<void>;
  /** Refuses a payment that {@link admitPayment} would refuse, outside of the ledger's batches. @throws stepUpRequired */
  mayPay(caller: UserCaller, amount: number): Promise<void>;
  /** Keeps the session of the caller as it is until the transaction of a payment ends, before wallets are locked. */
  hold(tx: Transaction, caller: UserCaller): Promise<void>;
  /**
   * Counts a payment in its transaction, while the source of the payment is locked.
   * @throws stepUpRequired beyond what a session may send in an hour, unless the session of the caller is elevated
   */
  admitPayment(tx: Transaction, caller: UserCaller, amount: number): Promise<void>;
}
