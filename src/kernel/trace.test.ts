import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batching } from './concurrency/batching.ts';
import { currentTrace, currentTraceparent, inThisTrace, newTrace, traceFrom, withTrace } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent is parsed by the W3C standard, and a malformed one is ignored', () => {
  assert.deepEqual(traceFrom(`00-${ID}-${SPAN}-01`), { traceId: ID, parentId: SPAN, flags: '01' });
  assert.deepEqual(traceFrom(`cc-${ID}-${SPAN}-00-what-the-future-will-be`), {
    traceId: ID,
    parentId: SPAN,
    flags: '00',
  });
  for (const bad of [
    undefined,
    '',
    [`00-${ID}-${SPAN}-01`],
    `ff-${ID}-${SPAN}-01`,
    `00-${ID}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-${SPAN}-01`,
    `00-${ID.slice(1)}-${SPAN}-01`,
    `00-${ID}-${SPAN}-1`,
    ` 00-${ID}-${SPAN}-01`,
    `00-${ID}-${SPAN}-01\n`,
    `00-${ID}-${SPAN}-01, 00-${ID}-${SPAN}-01`,
  ]) {
    assert.equal(traceFrom(bad), undefined, String(bad));
  }
});

test('the forwarded traceparent is valid, whatever the client sent', () => {
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
  const near = fc
    .tuple(hex(2), hex(32), hex(16), hex(2), fc.constantFrom('', '-', '-x'))
    .map(([version, id, span, flags, rest]) => `${version}-${id}-${span}-${flags}${rest}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (header) => {
      const passedOn = withTrace(traceFrom(header) ?? newTrace(), currentTraceparent);
      assert.match(passedOn ?? '', /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/);
      const known = traceFrom(header);
      if (known) assert.ok(passedOn?.startsWith(`00-${known.traceId}-`));
    }),
  );
});

test('all calls of a trace carry the same parent, which is not that of the client', () => {
  withTrace(traceFrom(`00-${ID}-${SPAN}-01`), () => {
    const [first, second] = [currentTraceparent(), currentTraceparent()];
    assert.equal(first, second);
    assert.match(first ?? '', new RegExp(`^00-${ID}-(?!${SPAN})[\\da-f]{16}-01$`));
  });
  assert.equal(currentTraceparent(), undefined, 'outside there is none');
});

test('a batch runs outside all traces; bound callbacks run in the trace of their caller', async () => {
  const outside: unknown[] = [];
  const batched = batching<() => string | undefined, string | undefined>(
    async (inputs) => {
      outside.push(currentTrace());
      return inputs.map((input) => input());
    },
    { maxSize: 10, concurrency: 1, maxQueued: 100, onOverflow: () => new Error('full') },
  );
  const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  const seen = await Promise.all(
    ids.map((traceId) =>
      withTrace({ traceId, flags: '00' }, () => {
        const bound = inThisTrace(() => currentTrace()?.traceId);
        return batched(bound as () => string | undefined);
      }),
    ),
  );
  assert.deepEqual(seen, ids);
  assert.deepEqual(outside, [undefined]);
});
