import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { settledPurchase } from '../../sdk/src/index.ts';
import { clientOf, failureOf, ok, type Reply, refused } from '../support/sdk-hosts.ts';

const checkout = { checkoutSessionId: 'cs_1', expiresAt: '2026-01-01T12:00:00.000Z' };
const HOUR_MS = 3_600_000;
const at = (time: string) => ({ meta: { timestamp: `2026-01-01T${time}:00.000Z` } });
const open = { status: 'open', transactionId: null };
const paid = { status: 'paid', transactionId: 'txn_1' };

/** A client whose checkout is in these states, one answer after another, and whose time does not pass by itself. */
function waiting(t: TestContext, ...answers: Reply[]) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { api, sent } = clientOf({
    '/checkouts/cs_1': (one) => (answers[Math.min(sent.length, answers.length) - 1] as Reply)(one),
    '/transactions/txn_1': () => ok({ amount: 50 }),
  });
  /** Lets time pass until a call has ended. */
  async function ended<T>(call: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void call.then(over, over);
    while (!isOver) {
      t.mock.timers.tick(500);
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    }
    return call;
  }
  return { api, sent, ended };
}

test('the transaction that a checkout brought is returned once it is there', async (t) => {
  const none = () => ok(open, at('11:00'));
  const credited = () => ok(paid, at('11:01'));
  const { api, sent, ended } = waiting(
    t,
    none,
    () => ok({ ...paid, transactionId: null }, at('12:06')),
    credited,
  );
  assert.deepEqual([(await ended(settledPurchase(api, checkout))).amount, sent.length], [50, 4]);
});

test('a lost connection is waited out', async (t) => {
  const away = () => Promise.reject(new TypeError('no network'));
  // With its repetitions, a call fails after four attempts.
  const { api, ended } = waiting(t, away, away, away, away, away, () => ok(paid, at('11:00')));
  assert.equal((await ended(settledPurchase(api, checkout))).amount, 50);
});

test('it ends after twenty-five hours, however long it may take, although nothing is readable', async (t) => {
  for (const timeoutMs of [undefined, Number.POSITIVE_INFINITY]) {
    const { api, sent, ended } = waiting(t, () => new Response('<html>'));
    const call = failureOf(settledPurchase(api, checkout, { timeoutMs }));
    t.mock.timers.setTime(Date.now() + 24 * HOUR_MS);
    const askedAgain = async () => {
      while (sent.length < 9) await new Promise(setImmediate);
    };
    await ended(Promise.race([call, askedAgain()]));
    t.mock.timers.setTime(Date.now() + HOUR_MS);
    const { kind, code } = await ended(call);
    assert.deepEqual([kind, code], ['timeout', 'TIMEOUT']);
    t.mock.timers.reset();
  }
});

test('it ends when the checkout has expired, by the clock of the platform', async (t) => {
  const { api, sent, ended } = waiting(
    t,
    () => ok(open, at('12:04')),
    () => ok(open, at('12:06')),
  );
  const { kind, code } = await ended(failureOf(settledPurchase(api, checkout)));
  assert.deepEqual([kind, code, sent.length], ['client', 'CHECKOUT_EXPIRED', 2]);
});

test('it ends at once when the payment has failed or the platform knows that the checkout has expired', async (t) => {
  for (const status of ['failed', 'expired']) {
    const { api, ended } = waiting(t, () => ok({ ...open, status }, at('11:00')));
    const { code } = await ended(failureOf(settledPurchase(api, checkout)));
    assert.equal(code, `CHECKOUT_${status.toUpperCase()}`);
    t.mock.timers.reset();
  }
});

test('it ends after its time, by a signal, and when the platform refuses', async (t) => {
  const { api, ended } = waiting(t, () => ok(open, at('11:00')));
  const { kind, code } = await ended(failureOf(settledPurchase(api, checkout, { timeoutMs: 10_000 })));
  assert.deepEqual([kind, code], ['timeout', 'TIMEOUT']);
  const controller = new AbortController();
  const call = settledPurchase(api, checkout, { signal: controller.signal });
  controller.abort(new Error('closed'));
  await assert.rejects(ended(call), { message: 'closed' });
  t.mock.timers.reset();
  const { api: inactive } = clientOf({ '/cs_1': () => refused(403, 'ACCOUNT_INACTIVE') });
  assert.equal((await failureOf(settledPurchase(inactive, checkout))).code, 'ACCOUNT_INACTIVE');
});
