import assert from 'node:assert/strict';
import { type FailureMaker, validationFailed } from '../../src/kernel/failures.ts';
import type { Answer } from './answer.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The parts of a response that a refusal is judged by. */
interface Judged {
  status: number;
  body: Omit<Answer['body'], 'pagination'>;
}

/**
 * Asserts that a request was refused with this failure of the source: its status, code and message, in an envelope that
 * names an error.
 */
export function assertRefused({ status, body }: Judged, failure: FailureMaker, what?: string): void {
  const { status: expected, code, message } = failure();
  assert.deepEqual(
    { what, status, success: body.success, error: body.error, message: body.message },
    { what, status: expected, success: false, error: code, message },
  );
  assert.match(body.errorId ?? '', UUID, what);
}

/** Asserts that a request was refused because its body or query is invalid. */
export function assertInvalid(answer: Judged, what?: string): void {
  assertRefused(answer, () => validationFailed([]), what);
  assert.ok(answer.body.errors?.length, what);
}
