/**
 * Codes of the SDK itself: the platform could not be reached, its response came too late, or the response was not
 * the platform's.
 */
export type ClientCode =
  | 'OFFLINE'
  | 'TIMEOUT'
  | 'UNREADABLE_ANSWER'
  | 'INTENT_EXPIRED'
  | 'SIGNED_OUT'
  | 'LIVE_ENDED'
  | 'TOO_SLOW'
  | 'NO_VIDEO'
  | 'CHECKOUT_EXPIRED'
  | 'CHECKOUT_FAILED';

/** What the platform adds to a refusal. On the live channel it is only what belongs to the code. */
export interface FailureMeta {
  timestamp?: string;
  version?: string;
  errorId?: string;
  retryAfter?: number;
  /** On `MUTED`: until when the member is muted. */
  mutedUntil?: string;
  /** On `PRICE_CHANGED`: what it costs now. */
  priceKeys?: number;
}

/** The details of a failure. */
export interface Facts {
  message: string;
  /** The error that `fetch` threw. */
  cause?: unknown;
  /**
   * `refused`: the platform responded with a failure. `offline`, `timeout`, `unreadable`: there is no response of
   * the platform.
   */
  kind: 'refused' | 'offline' | 'timeout' | 'unreadable' | 'client';
  code: string;
  /**
   * The HTTP status; 0 without a response, and where no request was refused: on the live channel, and for a video that
   * the platform could not process, such as `NOT_A_VIDEO`.
   */
  status?: number;
  /** On `VALIDATION_FAILED`: all faults, each with a dotted path. */
  fields?: { field: string; message: string }[];
  /** What the platform adds, such as `mutedUntil`; undefined if it adds nothing, or there is no response. */
  meta?: FailureMeta | undefined;
  /** Seconds after which the same call may succeed. */
  retryAfter?: number | undefined;
  /** The id by which operators find the failure. */
  errorId?: string | undefined;
  requestId?: string | undefined;
  /** The id of the operation. */
  operation?: string | undefined;
  /** The Idempotency-Key of the request: repeating the call with it has a single effect. */
  idempotencyKey?: string | undefined;
  /** Whether a write may have taken effect although there is no response. */
  isOutcomeUnknown?: boolean;
}

/** A failed call, with what programs need to handle it and a message for people. */
export class PlatformError<Code extends string = string> extends Error {
  override readonly name: string = 'PlatformError';
  declare readonly kind: Facts['kind'];
  declare readonly code: Code | ClientCode;
  readonly status: number = 0;
  readonly fields: { field: string; message: string }[] = [];
  declare readonly meta: FailureMeta | undefined;
  declare readonly retryAfter: number | undefined;
  declare readonly errorId: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly operation: string | undefined;
  declare readonly idempotencyKey: string | undefined;
  readonly isOutcomeUnknown: boolean = false;

  /**
   * Takes the details, or another failure. Message and cause are not enumerable, so that logs do not print the data
   * that a custom `fetch` attaches to its errors.
   */
  constructor(facts: Facts, more?: Partial<Facts>) {
    super(facts.message, facts);
    Object.assign(this, facts, more);
  }
}
