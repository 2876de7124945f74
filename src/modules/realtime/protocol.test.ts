import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { Failure } from '../../kernel/failures.ts';
import { command, tooFast } from '../../kernel/live/live-commands.ts';
import { failureData, protocol } from './protocol.ts';

const open = protocol([
  command({
    type: 'subscribe',
    channel: 'market',
    summary: 'Subscribes.',
    fields: Type.Object({
      symbols: Type.Array(Type.String({ pattern: '^[A-Z]+$' }), { minItems: 1, maxItems: 100 }),
    }),
    handle: async () => undefined,
  }),
]);

/** The failure that a client receives for a message. */
function failureOf(message: object): { errors: object[]; bytes: number } {
  try {
    open(JSON.stringify(message)).read();
  } catch (error) {
    const data = failureData(error as Failure) as { errors: object[] };
    return { errors: data.errors, bytes: JSON.stringify(data).length };
  }
  throw new Error('the message was accepted');
}

test('a list of thirty thousand wrong items is refused by its length in a short message', () => {
  const symbols = Array.from({ length: 30_000 }, () => 1);
  const { errors, bytes } = failureOf({ type: 'subscribe', channel: 'market', symbols });
  assert.deepEqual(errors, [{ field: 'symbols', message: 'must have at most 100 items' }]);
  assert.ok(bytes < 500);
});

test('a refusal lists at most a hundred faults', () => {
  const symbols = Array.from({ length: 100 }, () => ({}));
  const { errors } = failureOf({ type: 'subscribe', channel: 'market', symbols });
  assert.equal(errors.length, 100);
});

test('live rate limits are reported as over HTTP', () => {
  assert.deepEqual(failureData(tooFast()), {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Rate limit exceeded. Please wait.',
    retryAfter: 1,
  });
});
