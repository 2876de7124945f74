import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payoutScene, state } from '../../../test/support/payouts.ts';
import type { PayoutState } from '../../external/payment/port.ts';
import type { Payout } from './payouts.model.ts';

// Reports of payouts may arrive late, and in another order: what the provider says now decides. The rules on a real database,
// without a platform around them.

const { newId, payingBy, requested, find } = await payoutScene();

test('a late report of a payment is compared with what the provider says now', async () => {
  for (const [now, becomes, alerts] of [
    ['failed', 'failed', []],
    ['pending', 'failed', []],
    ['paid', 'overpaid', ['payment.payout-paid-after-end']],
  ] as [PayoutState['status'], string, string[]][]) {
    const rules = payingBy({ payout: async (payoutId) => state(now, payoutId) });
    const providerId = `po of ${newId()}`;
    const reference = await requested(rules, { status: 'failed', providerId });
    await rules.applyReport({ ...state('paid', providerId), reference });
    assert.deepEqual([(await find(reference)).status, rules.alerts], [becomes, alerts], now);
  }
});

test('a late report of a failure is compared with what the provider says now', async () => {
  for (const [given, now, becomes, alerts] of [
    ['paid', 'paid', 'paid', []],
    ['paid', 'failed', 'returned', ['payment.payout-returned']],
    ['overpaid', 'paid', 'overpaid', []],
    ['overpaid', 'failed', 'overpaid', ['payment.overpaid-returned']],
  ] as [Payout['status'], PayoutState['status'], string, string[]][]) {
    const rules = payingBy({ payout: async (payoutId) => state(now, payoutId) });
    const providerId = `po of ${newId()}`;
    const reference = await requested(rules, { status: given, providerId });
    await rules.applyReport({ ...state('failed', providerId), reference });
    assert.deepEqual([(await find(reference)).status, rules.alerts], [becomes, alerts], `${given} ${now}`);
  }
});
