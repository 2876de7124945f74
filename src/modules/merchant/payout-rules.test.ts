import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decision, outcomeOf, payoutScene, state } from '../../../test/support/payouts.ts';
import { PaymentRefused, type PayoutState } from '../../external/payment/port.ts';
import type { Payout } from './payouts.model.ts';

// What becomes of a payout when no provider is configured, or one answers as no sandbox does: the rules on a real
// database, without a platform around them.

const { database, newId, store, payingBy, requested, find, brief, decide } = await payoutScene();

test('without a provider payouts wait, and the first decision ends them at once', async () => {
  const rules = payingBy(undefined);
  const reference = await requested(rules);
  const payout = await find(reference);
  assert.deepEqual(rules.jobs, []);
  await rules.look(payout);
  assert.equal(await outcomeOf(rules.retry(reference)), 'PAYMENT_UNAVAILABLE');
  assert.deepEqual(await brief(reference), ['queued', null, null, null]);
  assert.deepEqual(await decide(rules, reference, decision('d1', 'failed')), [true, 1]);
  assert.deepEqual(await brief(reference), ['failed', null, 'by hand', 'd1']);
  const settled = { reference, outcome: 'failed', reason: 'by hand', decision: { by: 'ada' } };
  assert.deepEqual(rules.events, [settled]);
  assert.deepEqual(await decide(rules, reference, decision('d1', 'failed')), [true, 1], 'a repetition');
  assert.deepEqual(await decide(rules, reference, decision('d2')), [false, 0], 'another one');
  assert.equal(await outcomeOf(rules.retry(reference)), undefined, 'it has ended');
  assert.deepEqual(rules.events, [settled], 'once');
});

test('a payout that nobody requested is not found', async () => {
  let now: PayoutState | undefined = state('failed');
  const rules = payingBy({ payout: async () => now });
  assert.equal(await outcomeOf(rules.retry('nothing')), 'NOT_FOUND');
  assert.deepEqual(await decide(rules, 'nothing', decision('d1')), ['NOT_FOUND', 0]);
  await rules.submit(newId());
  await rules.applyReport({ ...state('paid'), reference: 'nothing' });
  await rules.applyReport({ ...state('pending'), reference: newId() });
  assert.deepEqual([rules.events, rules.alerts], [[], []]);
  await rules.applyReport({ ...state('paid'), reference: newId() });
  assert.deepEqual(rules.alerts, [], 'the bank has sent it back since');
  now = undefined;
  await rules.applyReport({ ...state('paid'), reference: newId() });
  assert.deepEqual(rules.alerts, ['payment.unknown-payout'], 'money has left for what was lost');
});

test('a payout of another amount or currency stays open until an operator ends it', async () => {
  for (const wrong of [{ cents: 899 }, { cents: 901 }, { currency: 'eur' }]) {
    const rules = payingBy({ payout: async () => ({ ...state('paid'), ...wrong }) });
    const reference = await requested(rules, { status: 'submitted', providerId: 'po_1' });
    await rules.look(await find(reference));
    // No alert is open, as if an operator had closed it.
    await rules.applyReport({ ...state('paid'), ...wrong, reference });
    assert.deepEqual([rules.events, rules.alerts], [[], Array(2).fill('payment.payout-amount-mismatch')]);
    assert.deepEqual(await brief(reference), ['submitted', 'po_1', null, null]);
    const { cents, currency } = { cents: 900, currency: 'usd', ...wrong };
    const [facts] = await store.factsOf([reference]);
    const paid = (cents / 100).toFixed(2);
    assert.equal(facts?.lastError, `paid with ${paid} ${currency} instead of 9.00 usd`);
    assert.deepEqual(await decide(rules, reference, decision('d1', 'cancelled')), ['PAYOUT_UNDER_WAY', 0]);
    const byHand = { ...decision('d2', 'paid'), isOperators: true };
    assert.deepEqual(await decide(rules, reference, byHand), [true, 1]);
    await rules.applyReport({ ...state('paid'), ...wrong, reference });
    assert.deepEqual([rules.events.length, rules.alerts.length], [1, 2], 'a late repetition');
    await database.execute('delete from merchant.payout');
  }
  const rules = payingBy({});
  const reference = await requested(rules, { status: 'submitted', providerId: 'po_1' });
  await rules.applyReport({ ...state('paid'), cents: 1, reference });
  await rules.applyReport({ ...state('failed'), cents: 1, reference });
  assert.deepEqual(await brief(reference), ['failed', 'po_1', '', null], 'nothing was paid after all');
});

test('a payout is submitted once, under its own key, and what the provider says is applied', async () => {
  const asked: object[] = [];
  const rules = payingBy({
    createPayout: async (payout) => {
      asked.push(payout);
      return state('pending');
    },
  });
  const reference = await requested(rules);
  const { id } = await find(reference);
  assert.deepEqual(rules.jobs, [{ payoutId: id }]);
  await rules.submit(id);
  await rules.submit(id);
  assert.deepEqual(asked, [{ idempotencyKey: `payout-${id}`, cents: 900, reference }]);
  assert.deepEqual(await brief(reference), ['submitted', 'po_1', null, null]);
  const paid = payingBy({ createPayout: async () => state('paid', 'po_2') });
  const other = await requested(paid, { status: 'submitting' });
  await paid.retry(other);
  assert.deepEqual(await brief(other), ['paid', 'po_2', '', null]);
  assert.deepEqual(paid.events, [{ reference: other, outcome: 'paid', reason: '', decision: null }]);
});

test('a payout that the provider refuses fails, and one without an answer stays open', async () => {
  const refusing = payingBy({ createPayout: () => Promise.reject(new PaymentRefused('No such bank')) });
  const refused = await requested(refusing);
  await refusing.submit((await find(refused)).id);
  assert.deepEqual(await brief(refused), ['failed', null, 'No such bank', null]);
  const silent = payingBy({ createPayout: () => Promise.reject(new Error('no answer')) });
  const open = await requested(silent);
  assert.equal(await outcomeOf(silent.submit((await find(open)).id)), 'no answer');
  assert.deepEqual(await brief(open), ['submitting', null, null, null]);
  const [facts] = await store.factsOf([open]);
  assert.deepEqual([facts?.attempts, facts?.lastError], [1, 'no answer']);
});

test('an answer to a submission changes no payout that has ended meanwhile', async () => {
  let reference = '';
  const rules = payingBy({
    createPayout: async () => {
      await rules.applyReport({ ...state('failed', 'po_2', 'Closed'), reference });
      return state('pending');
    },
  });
  reference = await requested(rules);
  await rules.submit((await find(reference)).id);
  assert.deepEqual(await brief(reference), ['failed', 'po_2', 'Closed', null]);
});

test('a decision about a payout that the provider has depends on whether it can be cancelled', async () => {
  const asked: string[] = [];
  const cancelling = (answer: PayoutState) =>
    payingBy({
      createPayout: async () => state('pending', 'po_new'),
      cancelPayout: async (id) => {
        asked.push(id);
        return answer;
      },
    });
  const stopped = cancelling(state('cancelled'));
  const first = await requested(stopped, { status: 'submitted', providerId: 'po_old' });
  assert.deepEqual(await decide(stopped, first, decision('d1', 'failed')), [true, 1]);
  assert.deepEqual(await brief(first), ['failed', 'po_old', 'by hand', 'd1']);
  const unsent = await requested(stopped, { status: 'submitting' });
  assert.deepEqual(await decide(stopped, unsent, decision('d1')), [true, 1]);
  assert.deepEqual(asked, ['po_old', 'po_new']);
  const late = cancelling(state('pending'));
  const second = await requested(late, { status: 'submitted', providerId: 'po_late' });
  assert.deepEqual(await decide(late, second, decision('d1')), ['PAYOUT_UNDER_WAY', 0]);
  assert.deepEqual(await brief(second), ['submitted', 'po_late', null, null]);
  const paid = cancelling(state('paid'));
  const third = await requested(paid, { status: 'submitted', providerId: 'po_paid' });
  assert.deepEqual(await decide(paid, third, decision('d1', 'failed')), [false, 0]);
  assert.deepEqual(await brief(third), ['paid', 'po_paid', '', null]);
});

test('a decision about a payout that the provider refuses is discarded, and of those without an answer one to stop it is kept', async () => {
  const refusing = payingBy({ createPayout: () => Promise.reject(new PaymentRefused('No such bank')) });
  const refused = await requested(refusing, { status: 'submitting' });
  assert.deepEqual(await decide(refusing, refused, decision('d1')), [false, 0]);
  assert.deepEqual(await brief(refused), ['failed', null, 'No such bank', null]);
  const absent = payingBy(undefined);
  const open = await requested(absent, { status: 'submitting' });
  assert.deepEqual(await decide(absent, open, decision('d1', 'paid')), ['PAYMENT_UNAVAILABLE', 0]);
  assert.deepEqual((await brief(open))[3], null);
  assert.deepEqual(await decide(absent, open, decision('d2', 'failed')), ['PAYMENT_UNAVAILABLE', 0]);
  assert.deepEqual((await brief(open))[3], 'd2');
});

test('a decision to stop a payout that had no answer is carried out once the provider answers', async () => {
  const absent = payingBy({
    payout: () => Promise.reject(new Error('no answer')),
    createPayout: () => Promise.reject(new Error('no answer')),
    cancelPayout: () => Promise.reject(new Error('no answer')),
  });
  const stop = async (made: Partial<Payout>) => {
    const reference = await requested(absent, made);
    await decide(absent, reference, decision('d1', 'failed'));
    return reference;
  };
  const back = payingBy({
    payout: async (id) => state('pending', id),
    createPayout: async () => state('pending', 'po_made'),
    cancelPayout: async (id) => state('cancelled', id),
  });
  const unsent = await stop({ status: 'submitting' });
  await back.submit((await find(unsent)).id);
  assert.deepEqual(await brief(unsent), ['failed', 'po_made', 'by hand', 'd1']);
  const known = await stop({ status: 'submitted', providerId: 'po_known' });
  await back.look(await find(known));
  assert.deepEqual(await brief(known), ['failed', 'po_known', 'by hand', 'd1']);
  const late = payingBy({
    payout: async (id) => state('pending', id),
    cancelPayout: async (id) => state('pending', id),
  });
  const underWay = await stop({ status: 'submitted', providerId: 'po_late' });
  await late.look(await find(underWay));
  assert.deepEqual(await brief(underWay), ['submitted', 'po_late', null, null], 'it came too late');
});

test('a report names a payout that has no name yet, and changes none that has another', async () => {
  const rules = payingBy({ payout: async () => undefined });
  const unnamed = await requested(rules, { status: 'submitting' });
  await rules.applyReport({ ...state('pending', 'po_5'), reference: unnamed });
  assert.deepEqual(await brief(unnamed), ['submitting', 'po_5', null, null]);
  await rules.applyReport({ ...state('paid', 'po_6'), reference: unnamed });
  assert.deepEqual(await brief(unnamed), ['submitting', 'po_5', null, null]);
  await rules.applyReport({ ...state('paid', 'po_5'), reference: unnamed });
  assert.deepEqual(await brief(unnamed), ['paid', 'po_5', '', null]);
});

test('a payout that the provider does not know stays as it is, and what it says otherwise is applied', async () => {
  const asked: string[] = [];
  const rules = payingBy({
    payout: async (id) => {
      asked.push(id);
      return id === 'po_1' ? state('failed', id, 'Closed') : undefined;
    },
  });
  const unknown = await requested(rules, { status: 'submitted', providerId: 'po_0' });
  assert.equal(await outcomeOf(rules.retry(unknown)), 'PAYOUT_UNKNOWN');
  assert.deepEqual(await brief(unknown), ['submitted', 'po_0', null, null]);
  const known = await requested(rules, { status: 'submitted', providerId: 'po_1' });
  await rules.retry(known);
  assert.deepEqual(await brief(known), ['failed', 'po_1', 'Closed', null]);
  await rules.look({ ...(await find(known)), id: newId() });
  assert.deepEqual(asked, ['po_0', 'po_1', 'po_1']);
});

test('an operator ends a payout that the provider does not know, and a member does not', async () => {
  const rules = payingBy({ cancelPayout: async () => undefined, payout: async () => undefined });
  for (const outcome of ['paid', 'failed', 'cancelled'] as const) {
    const reference = await requested(rules, { status: 'submitted', providerId: `po_${outcome}` });
    assert.deepEqual(await decide(rules, reference, decision('d1', outcome)), ['PAYMENT_UNAVAILABLE', 0]);
    assert.equal((await find(reference)).status, 'submitted');
    rules.events.length = 0;
    const byHand = { ...decision('d2', outcome), isOperators: true };
    assert.deepEqual(await decide(rules, reference, byHand), [true, 1]);
    assert.deepEqual(await brief(reference), [outcome, `po_${outcome}`, 'by hand', 'd2']);
    const told = { by: 'ada', unknownToProvider: true };
    assert.deepEqual(rules.events, [{ reference, outcome, reason: 'by hand', decision: told }]);
    assert.deepEqual(await decide(rules, reference, byHand), [true, 1], 'a repetition');
    await rules.applyReport({ ...state('paid', `po_${outcome}`), reference });
    assert.equal((await find(reference)).status, 'overpaid', 'it was known after all');
  }
  const kept = payingBy({ cancelPayout: async () => undefined, payout: async () => state('pending') });
  const stopped = await requested(kept, { status: 'submitted', ending: 'failed', decisionId: 'd1' });
  await database.execute(`update merchant.payout set provider_id = 'po_1' where reference = $1`, [stopped]);
  assert.equal(await outcomeOf(kept.retry(stopped)), 'PAYOUT_UNKNOWN');
  assert.equal((await find(stopped)).status, 'submitted', 'nobody decides now');
});

test('what a provider reports of a payout applies to its state as the table says', async () => {
  const [RETURNED, OVERPAID] = ['payment.payout-returned', 'payment.payout-paid-after-end'];
  for (const [given, reported, becomes, alert] of [
    [{ status: 'submitted' }, 'pending', 'submitted'],
    [{ status: 'submitted' }, 'paid', 'paid'],
    [{ status: 'submitted' }, 'failed', 'failed'],
    [{ status: 'submitted' }, 'cancelled', 'cancelled'],
    [{ status: 'submitted', ending: 'failed', decisionId: 'd1' }, 'cancelled', 'failed'],
    [{ status: 'submitted', ending: 'failed', decisionId: 'd1' }, 'paid', 'paid'],
    [{ status: 'paid' }, 'failed', 'returned', RETURNED],
    [{ status: 'paid' }, 'paid', 'paid'],
    [{ status: 'paid' }, 'cancelled', 'paid'],
    [{ status: 'paid', decisionId: 'd1' }, 'failed', 'paid'],
    [{ status: 'paid', decisionId: 'd1' }, 'paid', 'overpaid', OVERPAID],
    [{ status: 'failed' }, 'paid', 'overpaid', OVERPAID],
    [{ status: 'cancelled' }, 'paid', 'overpaid', OVERPAID],
    [{ status: 'cancelled' }, 'failed', 'cancelled'],
    [{ status: 'paid', decisionId: 'd1', mispaid: true }, 'failed', 'paid', 'payment.mispaid-returned'],
    [{ status: 'failed', decisionId: 'd1', mispaid: true }, 'failed', 'failed'],
    [{ status: 'failed', decisionId: 'd1', mispaid: true }, 'paid', 'overpaid', OVERPAID],
    [{ status: 'returned' }, 'paid', 'returned'],
    [{ status: 'overpaid' }, 'failed', 'overpaid', 'payment.overpaid-returned'],
  ] as [Partial<Payout>, PayoutState['status'], string, string?][]) {
    const rules = payingBy({ payout: async () => undefined });
    const providerId = `po of ${newId()}`;
    const reference = await requested(rules, { ...given, providerId });
    await rules.applyReport({ ...state(reported, providerId), reference });
    const told = [(await find(reference)).status, rules.alerts];
    assert.deepEqual(told, [becomes, alert ? [alert] : []], `${JSON.stringify(given)} ${reported}`);
    const isNews = becomes !== given.status && becomes !== 'overpaid';
    assert.equal(rules.events.length, isNews ? 1 : 0, `${JSON.stringify(given)} ${reported}`);
  }
});
