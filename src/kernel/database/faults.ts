import { codeOf } from '../outages.ts';

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const UNIQUE_VIOLATION = '23505';
const IN_FAILED_TRANSACTION = '25P02';

/** Whether the work lost to another transaction and may succeed when retried. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === DEADLOCK || code === SERIALIZATION_FAILURE;
}

/** Whether a statement was refused because another one of its transaction had failed. */
const isAfterFailure = (error: unknown): boolean => codeOf(error) === IN_FAILED_TRANSACTION;

/**
 * Remembers why a transaction failed. Of statements that are sent together a later one may be seen to fail first; that it
 * was refused says nothing of the earlier one, which may have lost to another transaction or waited for too long.
 */
export function transactionFailure() {
  let cause: Error | undefined;
  return {
    /** Takes the error of each statement that fails, in their order. */
    remember: (error: Error): void => {
      // The latest, because a savepoint may have undone former ones.
      if (!isAfterFailure(error)) cause = error;
    },
    /** Returns the error, or the one behind it. */
    of: (error: unknown): unknown => (isAfterFailure(error) ? (cause ?? error) : error),
    /** Returns the error of the statement that failed last. */
    last: (): Error | undefined => cause,
  };
}

/** Whether a unique constraint or index (the named one, when given) rejected a row. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}
