import { Failure } from '../../../kernel/failures.ts';
import { codeOf } from '../../../kernel/outages.ts';
import { AlreadyProcessed } from '../../../kernel/records/idempotency.ts';

/**
 * Returns whether an error proves that a batch was rolled back, unlike a connection lost at commit: constraint
 * violations, raised exceptions, repeated requests, and failures of the additional writes.
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof AlreadyProcessed || error instanceof Failure || /^(23|P0)/.test(codeOf(error) ?? '');
