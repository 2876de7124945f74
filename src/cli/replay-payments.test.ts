import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform } from '../app/platform.ts';
import { PaymentRefused, paymentUnavailable } from '../external/payment/port.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { DAY_MS } from '../kernel/time/time.ts';
import type { Replayed } from '../modules/merchant/contract.ts';
import { replayPayments } from './replay-payments.ts';
import { UsageFault } from './usage.ts';

const ALL = { applied: 3, known: 4, failed: 0, unreadable: [] };
const YESTERDAY = new Date(Date.now() - DAY_MS).toISOString();

/** Runs the command; returns its exit code and what it printed. */
async function replaying(since: string, outcome: Replayed | Error) {
  const replay = () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
  const print = console.log;
  const printed: string[] = [];
  console.log = (line: string) => void printed.push(line);
  try {
    await replayPayments(since)({ payments: { replay } } as unknown as Platform);
    return [process.exitCode ?? 0, printed.join('\n')] as const;
  } finally {
    console.log = print;
    process.exitCode = undefined;
  }
}

test('a time that does not exist, has no zone, or is to come is a fault of the command line', () => {
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  for (const wrong of [
    undefined,
    '',
    'yesterday',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
  ])
    assert.throws(() => replayPayments(wrong), UsageFault, wrong);
  for (const wrong of ['2026-11-29', '2026-11-29T03:00:00', '2026-11-29T25:00:00Z', tomorrow])
    assert.throws(() => replayPayments(wrong), UsageFault, wrong);
});

test('events that were applied end with 0, and those that could not be applied or read with 1', async () => {
  const [code, printed] = await replaying(YESTERDAY, ALL);
  assert.deepEqual(
    [code, printed],
    [
      0,
      `Events since ${YESTERDAY}: 3 news (applied, or an alert), 4 known already, 0 not readable, 0 failed.`,
    ],
  );
  assert.match((await replaying(YESTERDAY, { ...ALL, failed: 2 }))[1], /^2 FAILED: the log says which\. /m);
  const unreadable = [{ id: 'evt_1', type: 'payout.paid' }];
  const [failed, told] = await replaying(YESTERDAY, { ...ALL, unreadable });
  assert.equal(failed, 1);
  assert.match(
    told,
    /: 3 news \(applied, or an alert\), 4 known already, 1 not readable, 0 failed\.\nNOT READABLE: evt_1 \(payout\.paid\)$/,
  );
});

test('a time before the events that the provider keeps ends with 1, although those are applied', async () => {
  const [code, printed] = await replaying(new Date(Date.now() - 31 * DAY_MS).toISOString(), ALL);
  assert.equal(code, 1);
  assert.match(printed, /^Events since .*: 3 news \(applied, or an alert\), /m);
  assert.match(printed, /^INCOMPLETE: the provider keeps events for 30 days\. /m);
  assert.equal((await replaying(new Date(Date.now() - 29 * DAY_MS).toISOString(), ALL))[0], 0);
});

test('a provider that cannot be asked is no fault of the command line', async () => {
  for (const reason of [paymentUnavailable(), new PaymentRefused('there are over 5 events')])
    await assert.rejects(replaying(YESTERDAY, reason), (error: Error) => {
      assert.ok(error instanceof OperatorFault && !(error instanceof UsageFault));
      assert.match(error.message, /^The payment provider could not be asked: /);
      return true;
    });
  const cause = new Error('none is configured (PAYMENT_PROVIDER)');
  await assert.rejects(replaying(YESTERDAY, Object.assign(paymentUnavailable(), { cause })), {
    message: 'The payment provider could not be asked: none is configured (PAYMENT_PROVIDER)',
  });
});
