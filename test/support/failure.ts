import assert from 'node:assert/strict';
import type { Answer } from './answer.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Asserts the envelope that every failure has, wherever it came from. */
export function assertFailure(answer: Pick<Answer, 'status' | 'body'>, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.error], [status, code]);
  const { success, status: stated, message, errorId, meta } = answer.body;
  assert.deepEqual(
    [success, stated, typeof message, meta.version, meta.errorId],
    [false, status, 'string', 'v1', errorId],
  );
  assert.match(errorId ?? '', UUID);
  assert.match(meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}
