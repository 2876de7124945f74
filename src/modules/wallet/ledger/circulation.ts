import { type FailureMaker, failure } from '../../../kernel/failures.ts';

/** The most Keys that one purchase or one grant puts into circulation. */
export const MAX_ISSUED_AT_ONCE = 1_000_000_000_000;
/**
 * The issued Keys up to which administrators grant more; beyond, Keys are only bought. Issued are those in circulation and
 * those that were paid out: that is what the account counts from which they come, and it must stay exact.
 */
export const GRANTED_UP_TO = 1_000_000_000_000_000;
/** The issued Keys up to which a purchase begins; beyond are those that began before, and Keys that are returned. */
export const SOLD_UP_TO = 8_000_000_000_000_000;

export const tooManyAtOnce = failure(
  400,
  'TOO_MANY_KEYS_AT_ONCE',
  `At most ${MAX_ISSUED_AT_ONCE} Keys are bought or granted at once`,
);
export const circulationLimitExceeded = failure(
  409,
  'CIRCULATION_LIMIT_EXCEEDED',
  'So many Keys have been issued that no more can be bought or granted',
);
/** The failures of putting Keys into circulation, besides those of crediting a wallet. */
export const ISSUE_FAILURES: FailureMaker[] = [tooManyAtOnce, circulationLimitExceeded];
