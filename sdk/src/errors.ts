/** Codes of the SDK itself: there was no answer, it came too late, or it did not come from the platform. */
export type ClientCode =
  | 'OFFLINE'
  | 'TIMEOUT'
  | 'UNREADABLE_ANSWER'
  | 'INTENT_EXPIRED'
  | 'SIGNED_OUT'
  | 'LIVE_ENDED'
  | 'TOO_SLOW'
  | 'CHECKOUT_EXPIRED';

/** The details of a failure. */
export interface Facts {
  message: string;
  /** What `fetch` has thrown. */
  cause?: unknown;
  /** `refused`: the platform answered with a failure. `offline`, `timeout`, `unreadable`: there is no answer of it. */
  kind: 'refused' | 'offline' | 'timeout' | 'unreadable' | 'client';
  code: string;
  /** 0 where nothing was answered. */
  status?: number;
  /** On `VALIDATION_FAILED`: all faults, each with a dotted path. */
  fields?: { field: string; message: string }[];
  /** Seconds after which the same may succeed. */
  retryAfter?: number | undefined;
  /** What operators look the failure up by. */
  errorId?: string | undefined;
  requestId?: string | undefined;
  /** The id of the operation. */
  operation?: string | undefined;
  /** The key that the request carried: calling again with it takes effect once. */
  idempotencyKey?: string | undefined;
  /** Whether a write may have taken effect although there is no answer. */
  isOutcomeUnknown?: boolean;
}

/** A call that did not succeed, with what programs and people need to go on. */
export class PlatformError<Code extends string = string> extends Error {
  override readonly name: string = 'PlatformError';
  declare readonly kind: Facts['kind'];
  declare readonly code: Code | ClientCode;
  readonly status: number = 0;
  readonly fields: { field: string; message: string }[] = [];
  declare readonly retryAfter: number | undefined;
  declare readonly errorId: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly operation: string | undefined;
  declare readonly idempotencyKey: string | undefined;
  readonly isOutcomeUnknown: boolean = false;

  /**
   * Takes the details, or another failure. Message and cause are not enumerable: logs do not write out what an own
   * `fetch` keeps in its errors.
   */
  constructor(facts: Facts, more?: Partial<Facts>) {
    super(facts.message, facts);
    Object.assign(this, facts, more);
  }
}
