/** An invalid field of a request: a dotted path into the body or query, and the problem. */
export interface FieldFault {
  field: string;
  message: string;
}

interface FailureDetails {
  errors?: FieldFault[];
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number;
  /** When a member who is refused for it is no longer muted. */
  mutedUntil?: Date;
  /** What something costs now whose price has changed. */
  priceKeys?: number;
  /** The allowed methods of a known path, for 405. */
  allow?: string[];
  /** The length of the content in bytes, for a 416, whose range begins beyond it. */
  contentBytes?: number;
  /** Repeats the status as `statusCode` in the envelope, as some failures of the specification do. */
  repeatsStatus?: boolean;
  /**
   * Tells operators the reason when the code does not distinguish it: in the access log and in reports, never in the
   * response.
   */
  reason?: string;
  /** The underlying error; logged, never sent to the client. */
  cause?: unknown;
}

/** A failure for the client. May be thrown anywhere; the gateway turns it into the envelope in one place. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  /** Stable, for machines: UPPER_SNAKE_CASE. */
  readonly code: string;
  readonly details: FailureDetails;

  constructor(status: number, code: string, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Returns a failure with the faults of all fields, of which it may have named some. */
export const withErrors = ({ status, code, message, details }: Failure, errors: FieldFault[]): Failure =>
  new Failure(status, code, message, { ...details, errors });

/** Makes a failure. Operations list the makers of the failures that they may respond with. */
export type FailureMaker = () => Failure;

/** A declared failure: call it to make one; `is` recognizes one that was thrown. */
export interface FailureKind extends FailureMaker {
  readonly code: string;
  is(error: unknown): error is Failure;
}

/** Defines a failure with a fixed message: `const walletLocked = failure(403, 'WALLET_LOCKED', '...')`. */
export function failure(
  status: number,
  code: string,
  message: string,
  details?: FailureDetails,
): FailureKind {
  const make = () => new Failure(status, code, message, details);
  // Compares the message too: kinds such as "Course not found" and "User not found" share their code.
  const is = (error: unknown): error is Failure =>
    error instanceof Failure && error.code === code && error.message === message;
  return Object.assign(make, { code, is });
}

/** `notFound('Course')` makes "Course not found" failures. */
export const notFound = (thing: string): FailureKind => failure(404, 'NOT_FOUND', `${thing} not found`);

/** For a path id that is not an object identifier. */
export const invalidId = (thing: string): FailureKind => failure(400, 'INVALID_ID', `Invalid ${thing} ID`);

export const insufficientPermissions = failure(403, 'FORBIDDEN', 'Insufficient permissions');

export function validationFailed(errors: FieldFault[]): Failure {
  return new Failure(422, 'VALIDATION_FAILED', 'Validation failed', { errors });
}

/** Makes a 429; the code tells clients which limit was exceeded. */
export const tooManyRequests = (code: string, retryAfterSeconds: number): Failure =>
  new Failure(429, code, 'Rate limit exceeded. Please wait.', { retryAfterSeconds });

const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE';

/**
 * Makes a 503.
 * @param cause of an outage; without a cause the platform is refusing because it is busy, see {@link isLoadShedding}
 */
export function serviceUnavailable(cause?: unknown): Failure {
  return new Failure(503, SERVICE_UNAVAILABLE, 'Service temporarily unavailable', {
    retryAfterSeconds: 1,
    cause,
  });
}

/**
 * Whether the platform refuses a request because it is busy, which is expected under load and no fault. Unavailable
 * external systems have codes of their own.
 */
export const isLoadShedding = ({ code, cause }: Failure): boolean =>
  code === SERVICE_UNAVAILABLE && cause === undefined;
