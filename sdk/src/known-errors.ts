import { PlatformError } from './errors.ts';
import type * as operations from './generated/operations/index.ts';
import type { CodeOf } from './operation.ts';

type Operations = typeof operations;

/** Returns whether a thrown value is a failure of a call and, if an operation's id is given, of that operation. */
export function isPlatformError(error: unknown): error is PlatformError;
export function isPlatformError<Id extends keyof Operations>(
  error: unknown,
  operation: Id,
): error is PlatformError<CodeOf<Operations[Id]>>;
export function isPlatformError(error: unknown, operation?: string): error is PlatformError {
  return error instanceof PlatformError && (operation === undefined || error.operation === operation);
}
