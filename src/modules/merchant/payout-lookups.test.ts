import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decision, outcomeOf, payoutScene, state } from '../../../test/support/payouts.ts';
import { PaymentRefused, type PayoutState } from '../../external/payment/port.ts';

// Payouts that the provider may have made although it is not known here.

const { database, payingBy, requested, find, brief, decide } = await payoutScene();

test('a payout whose key the provider may have forgotten is looked up before it is created again', async () => {
  const asked: string[] = [];
  const answers = { found: undefined as PayoutState | undefined };
  const rules = payingBy({
    createPayout: async () => {
      asked.push('created');
      return state('pending', 'po_new');
    },
    payoutOf: async (reference, since) => {
      asked.push(`${reference} since ${since.toISOString()}`);
      return answers.found;
    },
    cancelPayout: async (payoutId) => state('paid', payoutId),
  });
  const age = (reference: string, hours: number) =>
    database.execute('update merchant.payout set created_at = $2 where reference = $1', [
      reference,
      new Date(Date.now() - hours * 3_600_000),
    ]);
  const young = await requested(rules, { status: 'submitting' });
  await age(young, 22);
  await rules.retry(young);
  assert.deepEqual(asked.splice(0), ['created']);

  await database.execute('delete from merchant.payout');
  const lost = await requested(rules, { status: 'submitting' });
  await age(lost, 24);
  const { createdAt } = await find(lost);
  const lookup = `${lost} since ${new Date(createdAt.getTime() - 3_600_000).toISOString()}`;
  answers.found = state('paid', 'po_old');
  await rules.retry(lost);
  assert.deepEqual(asked.splice(0), [lookup]);
  assert.deepEqual(await brief(lost), ['paid', 'po_old', '', null]);

  // It was paid, so that a decision to give the Keys back comes too late, and creates no second payout in order to cancel it.
  const decided = await requested(rules, { status: 'submitting' });
  await age(decided, 24);
  answers.found = state('paid', 'po_other');
  assert.deepEqual(await decide(rules, decided, decision('d1', 'failed')), [false, 0]);
  assert.equal(asked.splice(0).includes('created'), false);

  answers.found = undefined;
  const never = await requested(rules, { status: 'queued' });
  await age(never, 72);
  await rules.submit((await find(never)).id);
  assert.equal(asked.at(-1), 'created');
});

test('a payout that cannot be looked up is neither made nor ended, and the caller is told that the provider is unavailable', async () => {
  const rules = payingBy({ payoutOf: () => Promise.reject(new PaymentRefused('too many')) });
  const reference = await requested(rules, { status: 'submitting' });
  await database.execute("update merchant.payout set created_at = now() - interval '2 days'");
  assert.equal(await outcomeOf(rules.retry(reference)), 'PAYMENT_UNAVAILABLE');
  assert.deepEqual(await decide(rules, reference, decision('d1', 'failed')), ['PAYMENT_UNAVAILABLE', 0]);
  await assert.rejects(async () => rules.look(await find(reference)), PaymentRefused);
  assert.equal((await find(reference)).status, 'submitting');
});

test('a second paid payout for the same reference alerts operators', async () => {
  let now: PayoutState | undefined = state('failed', 'po_2');
  const rules = payingBy({ payout: async () => now });
  const reference = await requested(rules, { status: 'submitted', providerId: 'po_1' });
  await rules.applyReport({ ...state('failed', 'po_2'), reference });
  await rules.applyReport({ ...state('paid', 'po_2'), reference });
  assert.deepEqual(rules.alerts, [], 'the bank has sent it back since');
  now = undefined;
  await rules.applyReport({ ...state('paid', 'po_2'), reference });
  assert.deepEqual(rules.alerts, ['payment.payout-paid-twice']);
  assert.deepEqual(await brief(reference), ['submitted', 'po_1', null, null]);
});
