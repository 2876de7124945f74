import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { batching } from './concurrency/batching.ts';
import { Failure, failure } from './failures.ts';
import { fromReference, idMaker, OBJECT_ID, toReference, unguessableIdMaker } from './ids.ts';
import { only } from './only.ts';
import { secretsOf } from './secrets.ts';
import { endOf, instantOf, isInstant, manualClock } from './time/time.ts';

const options = { maxSize: 10, concurrency: 1, maxQueued: 100, onOverflow: failure(503, 'FULL', 'Full') };

test('ids are 24 hexadecimal characters, unique, and sort in the order they were made', () => {
  const clock = manualClock(Date.parse('2026-11-21T00:00:00Z'));
  const newId = idMaker(clock);
  const ids = Array.from({ length: 10_000 }, (_, place) => {
    if (place % 1000 === 0) clock.advance(1000);
    return newId();
  });
  assert.ok(ids.every((id) => OBJECT_ID.test(id)));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(
    Number.parseInt((ids[0] as string).slice(0, 8), 16),
    Date.parse('2026-11-21T00:00:01Z') / 1000,
  );
});

test('unguessable ids made at the same time share only their timestamp', () => {
  const clock = manualClock(Date.parse('2026-11-21T00:00:00Z'));
  const newId = unguessableIdMaker(clock);
  const ids = Array.from({ length: 1_000 }, newId);
  clock.advance(1_000);
  assert.ok(ids.every((id) => OBJECT_ID.test(id) && id < newId()));
  assert.equal(new Set(ids.map((id) => id.slice(0, 8))).size, 1);
  for (const [from, to] of [
    [8, 16],
    [16, 24],
  ] as const)
    assert.equal(new Set(ids.map((id) => id.slice(from, to))).size, ids.length, `digits ${from} to ${to}`);
});

test('a reference can be turned back into its id, and other texts give undefined', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(hex, (id) => {
      const reference = toReference('txn', id);
      assert.match(reference, /^txn_[0-9A-Z]{20}$/);
      assert.equal(fromReference('txn', reference), id);
      assert.equal(fromReference('wdr', reference), undefined);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => fromReference('txn', text) === undefined));
  assert.equal(fromReference('txn', `txn_${'Z'.repeat(20)}`), undefined, 'more than 96 bits');
});

test('only dates that exist are parsed, and a date-only end includes the whole day', () => {
  for (const good of [
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00.5+02:00',
    '2024-02-29',
    '2026-11-21T10:00',
  ]) {
    assert.ok(isInstant(good), good);
  }
  for (const bad of [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    'today',
    '',
    '20261121',
    '1e3',
  ]) {
    assert.ok(!isInstant(bad), bad);
  }
  assert.equal(endOf('2026-11-21').toISOString(), '2026-11-21T23:59:59.999Z');
  assert.equal(instantOf('2026-11-21T10:00:00+02:00').toISOString(), '2026-11-21T08:00:00.000Z');
  assert.equal(instantOf('2026-11-21T10:00:00').toISOString(), '2026-11-21T10:00:00.000Z');
  for (const first of ['0000-01-01', '0001-01-01T00:00:00+14:00', '0999-12-31'])
    assert.equal(instantOf(first).toISOString(), '1000-01-01T00:00:00.000Z');
  for (const last of ['9999-12-31', '9999-12-31T23:59:59-12:00', '9998-12-31T00:00:01'])
    assert.equal(instantOf(last).toISOString(), '9998-12-31T00:00:00.000Z');
});

test('callers of one event-loop turn share a batch, and each gets its own result or failure', async () => {
  const batches: number[][] = [];
  const double = batching<number, number>(async (inputs) => {
    batches.push(inputs);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return inputs.map((input) => (input === 3 ? failure(400, 'THREE', 'Not three')() : input * 2));
  }, options);
  const all = await Promise.allSettled(Array.from({ length: 25 }, (_, input) => double(input)));
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [10, 10, 5],
  );
  for (const [input, outcome] of all.entries()) {
    if (input === 3) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Failure);
    else assert.deepEqual(outcome, { status: 'fulfilled', value: input * 2 });
  }
});

test('a batch that waits before it begins takes along what arrives meanwhile, up to its maximum', async () => {
  const batches: number[][] = [];
  const waiting = Promise.withResolvers<void>();
  const double = batching<number, number>(async (inputs, more) => {
    if (batches.length === 0) await waiting.promise;
    const all = [...inputs, ...more()];
    batches.push(all);
    if (all.includes(30)) throw new Error('broken');
    return all.map((input) => input * 2);
  }, options);
  const doubled = [1, 2].map(double);
  await setImmediate();
  doubled.push(...Array.from({ length: 9 }, (_, place) => double(place + 3)));
  waiting.resolve();
  assert.deepEqual(
    await Promise.all(doubled),
    Array.from({ length: 11 }, (_, place) => (place + 1) * 2),
  );
  assert.deepEqual(batches, [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11]]);
  const failed = await Promise.allSettled([double(30), double(31)]);
  assert.ok(failed.every(({ status }) => status === 'rejected'));
});

test('a failing batch rejects only its own callers, and a full queue refuses further ones', async () => {
  let broken = true;
  const run = batching<number, number>(
    async (inputs) => {
      if (broken) throw new Error('broken');
      return inputs;
    },
    { ...options, maxQueued: 5 },
  );
  const first = await Promise.allSettled(Array.from({ length: 7 }, (_, input) => run(input)));
  const reasons = first.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : ''));
  assert.deepEqual(reasons, ['broken', 'broken', 'broken', 'broken', 'broken', 'Full', 'Full']);
  broken = false;
  assert.equal(await run(1), 1);
});

test('who waits behind a batch that fails because the database hangs is refused with it, instead of waiting as long again', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  for (const [message, lastsMs, outcomes] of [
    ['Query read timeout', 15_000, ['Query read timeout', 'Query read timeout']],
    [
      'Connection terminated unexpectedly',
      15_000,
      ['Connection terminated unexpectedly', 'Connection terminated unexpectedly'],
    ],
    ['Connection terminated unexpectedly', 10, ['Connection terminated unexpectedly', 2]],
    ['broken', 15_000, ['broken', 2]],
  ] as const) {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const run = batching<number, number>(async (inputs) => {
      if (!inputs.includes(1)) return inputs;
      begun.resolve();
      await ended.promise;
      nowMs += lastsMs;
      throw new Error(message);
    }, options);
    const outcomeOf = (input: number) => run(input).catch((error: Error) => error.message);
    const first = outcomeOf(1);
    await begun.promise;
    const second = outcomeOf(2);
    ended.resolve();
    assert.deepEqual(await Promise.all([first, second]), outcomes, `${message} after ${lastsMs}`);
    assert.equal(await run(3), 3);
  }
});

test('a sealed text opens only unchanged, with the same key and purpose', () => {
  const sealed = secretsOf(['a key']).sealer('tests').seal('plain');
  assert.equal(secretsOf(['a key']).sealer('tests').open(sealed), 'plain');
  assert.ok(!sealed.includes('plain'));
  assert.throws(() => secretsOf(['another key']).sealer('tests').open(sealed));
  assert.throws(() => secretsOf(['a key']).sealer('another purpose').open(sealed));
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1;
  assert.throws(() => secretsOf(['a key']).sealer('tests').open(sealed));
});

test('a list that must have one item has exactly one', () => {
  assert.equal(only(['a']), 'a');
  assert.throws(() => only([]), /list of 0/);
  assert.throws(() => only([undefined]), /list of 1/);
  assert.throws(() => only(['a', 'b']), /list of 2/);
});
