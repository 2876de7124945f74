import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Stripe from 'stripe';
import {
  changeWallet,
  closeAlert,
  debitWallet,
  fundWalletAsAdmin,
  getBalance,
  listAlerts,
  listAudit,
  listTransactions,
  transferKeys,
} from '../../../sdk/src/index.ts';
import { ledgerFaults } from '../../../test/support/ledger-faults.ts';
import { PAYMENT_WEBHOOK_SECRET, startPlatform } from '../../../test/support/platform.ts';
import { providerSession } from '../../../test/support/provider-sessions.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
await platform.standIn('payments', { webhookPause: 50 });
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const control = (path: string, body: object) =>
  fetch(`${platform.sandboxUrl}/control/payments/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const dispute = (session: string, event: string, id: string, status: string, amount?: number) =>
  control(`${session}/dispute`, { event, id, status, amount });
const refund = (session: string, cents: number) => control(`${session}/refund`, { cents });
const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const audited = async (action: string, target: string) =>
  (await admin.call(listAudit, { query: { action, target } })).data;
const refundsOf = async ({ client }: Member) =>
  (await client.call(listTransactions, { query: { type: 'refund' } })).data;

/** Sends the platform a webhook of the provider; returns the status. */
async function reportSigned(event: object): Promise<number> {
  const payload = JSON.stringify(event);
  const secret = PAYMENT_WEBHOOK_SECRET;
  const signature = new Stripe('sk').webhooks.generateTestHeaderString({ payload, secret });
  const { status } = await platform.client
    .with({ 'x-api-key': undefined, 'stripe-signature': signature })
    .sendText('POST', '/v1/webhooks/payments', payload);
  return status;
}

async function bought(keys: number): Promise<{ member: Member; session: string }> {
  const member = await platform.newMember();
  const { id, link } = await platform.checkout(member, keys);
  await platform.pay(link);
  assert.equal(await balanceOf(member), keys);
  return { member, session: id };
}

test('a dispute takes the Keys once, and winning it returns them once', async () => {
  const { member, session } = await bought(10);
  await dispute(session, 'created', 'dp_1', 'needs_response');
  await dispute(session, 'funds_withdrawn', 'dp_1', 'needs_response');
  await dispute(session, 'updated', 'dp_1', 'under_review');
  assert.equal(await balanceOf(member), 0);
  await dispute(session, 'funds_reinstated', 'dp_1', 'won');
  await dispute(session, 'closed', 'dp_1', 'won');
  await dispute(session, 'created', 'dp_1', 'needs_response');
  assert.equal(await balanceOf(member), 10);
  const rows = (await refundsOf(member)).map((row) => [
    row.description,
    row.amount,
    row.fromUserId,
    row.toUserId,
    row.metadata,
  ]);
  assert.deepEqual(rows, [
    ['Dispute won', 10, null, member.id, { checkoutSessionId: session, disputeId: 'dp_1' }],
    [
      'Payment disputed',
      10,
      member.id,
      null,
      { checkoutSessionId: session, disputeId: 'dp_1', disputedUsd: 10 },
    ],
  ]);
  assert.equal((await audited('payment.dispute-opened', member.id)).length, 1);
  assert.equal((await audited('payment.dispute-won', member.id)).length, 1);
});

test('an inquiry takes no Keys, and a lost dispute keeps them', async () => {
  const { member, session } = await bought(10);
  await dispute(session, 'created', 'dp_2', 'warning_needs_response', 500);
  assert.equal(await balanceOf(member), 10);
  assert.equal((await audited('payment.dispute-inquiry', member.id)).length, 1);
  await dispute(session, 'created', 'dp_2', 'needs_response', 500);
  assert.equal(await balanceOf(member), 5);
  await dispute(session, 'closed', 'dp_2', 'lost', 500);
  assert.equal(await balanceOf(member), 5);
});

test('a locked wallet gives back disputed Keys, and gets them again', async () => {
  const { member, session } = await bought(10);
  const body = { locked: true, lockedReason: 'Disputed payment' };
  await admin.call(changeWallet, { params: { userId: member.id }, body });
  await dispute(session, 'created', 'dp_locked', 'needs_response');
  assert.equal(await balanceOf(member), 0);
  await dispute(session, 'closed', 'dp_locked', 'won');
  assert.equal(await balanceOf(member), 10);
});

test('Keys that are already spent are reported to operators, and only taken Keys are returned', async () => {
  const { member, session } = await bought(10);
  const ben = await platform.newMember();
  await member.client.call(transferKeys, { body: { toUserId: ben.id, amount: 7 } });
  await dispute(session, 'created', 'dp_3', 'needs_response');
  assert.equal(await balanceOf(member), 0);
  const [told] = await audited('payment.keys-short', member.id);
  assert.deepEqual([told?.details.due, told?.details.short, told?.details.disputeId], [10, 7, 'dp_3']);
  await dispute(session, 'closed', 'dp_3', 'won');
  assert.equal(await balanceOf(member), 3);
});

const openAlerts = async (target: string) =>
  (await admin.call(listAlerts, { query: { status: 'open', target } })).data.map(
    ({ id, action, details }) => ({
      id,
      action,
      keys: details.short ?? details.keys,
    }),
  );
async function spent(keys: number) {
  const made = await bought(keys);
  const toUserId = (await platform.newMember()).id;
  await made.member.client.call(transferKeys, { body: { toUserId, amount: keys } });
  return made;
}

test('missing Keys of a payment are one task, and what operators have dealt with is neither taken nor said again', async () => {
  const { member, session } = await spent(10);
  const tasks = async () => (await openAlerts(member.id)).map(({ action, keys }) => [action, keys]);
  await refund(session, 250);
  await refund(session, 250);
  assert.deepEqual(await tasks(), [['payment.keys-short', 5]]);
  const body = { userId: member.id, amount: 20, reason: 'A gift of ours' };
  await admin.call(fundWalletAsAdmin, { body });
  await admin.call(debitWallet, { body: { ...body, amount: 5 } });
  const [alert] = await openAlerts(member.id);
  await admin.call(closeAlert, { params: { alertId: alert?.id ?? '' }, body: { reason: 'Debited' } });
  await refund(session, 250);
  assert.deepEqual([await balanceOf(member), await tasks()], [13, []], 'the next share alone is taken');
  await member.client.call(transferKeys, {
    body: { toUserId: (await platform.newMember()).id, amount: 13 },
  });
  await refund(session, 250);
  assert.deepEqual(await tasks(), [['payment.keys-short', 3]], 'without the five that were debited');
});

test('a dispute that is lost takes nothing again, and one that is won ends the task about missing Keys', async () => {
  for (const [outcome, alerts] of [
    ['lost', [['payment.keys-short', 10]]],
    ['won', []],
  ] as const) {
    const { member, session } = await spent(10);
    await dispute(session, 'created', `dp_missing_${outcome}`, 'needs_response');
    await admin.call(fundWalletAsAdmin, {
      body: { userId: member.id, amount: 20, reason: 'A gift of ours' },
    });
    await dispute(session, 'closed', `dp_missing_${outcome}`, outcome);
    assert.equal(await balanceOf(member), 20);
    const tasks = (await openAlerts(member.id)).map(({ action, keys }) => [action, keys]);
    assert.deepEqual(tasks, alerts, outcome);
  }
});

test('operators who have dealt with missing Keys learn that they are no longer owed', async () => {
  const { member, session } = await spent(10);
  await dispute(session, 'created', 'dp_debited', 'needs_response');
  const alerts = await openAlerts(member.id);
  assert.deepEqual(alerts.map(({ action }) => action).sort(), [
    'payment.dispute-opened',
    'payment.keys-short',
  ]);
  for (const { id: alertId } of alerts)
    await admin.call(closeAlert, { params: { alertId }, body: { reason: 'Debited' } });
  await dispute(session, 'closed', 'dp_debited', 'won');
  const tasks = (await openAlerts(member.id)).map(({ action, keys }) => [action, keys]);
  assert.deepEqual(tasks, [['payment.keys-no-longer-short', 10]]);
});

test('an inquiry that the bank closes ends its alert', async () => {
  const { member, session } = await bought(10);
  await dispute(session, 'created', 'dp_closed', 'warning_needs_response');
  assert.equal((await openAlerts(member.id)).length, 1);
  await dispute(session, 'closed', 'dp_closed', 'warning_closed');
  assert.deepEqual([await openAlerts(member.id), await balanceOf(member)], [[], 10]);
});

test('a refund that is reported late or again changes nothing', async () => {
  const { member, session } = await bought(10);
  await refund(session, 400);
  assert.equal(await balanceOf(member), 6);
  // The total refunded, in an earlier and in the latest report.
  const { payment_intent } = await providerSession(platform, session);
  for (const amount_refunded of [300, 400]) {
    const object = { payment_intent, amount_refunded };
    assert.equal(await reportSigned({ type: 'charge.refunded', data: { object } }), 200);
    assert.equal(await balanceOf(member), 6);
  }
  assert.equal((await refundsOf(member)).length, 1);
});

test('operators hear of a single Key that a refund could not take back', async () => {
  const { member, session } = await bought(10);
  const other = await platform.newMemberWith(0);
  await member.client.call(transferKeys, { body: { toUserId: other.id, amount: 1 } });
  await refund(session, 1_000);
  assert.equal(await balanceOf(member), 0);
  const [told] = await audited('payment.keys-short', member.id);
  assert.deepEqual([told?.details.due, told?.details.short], [10, 1]);
});

test('a dispute reported before its payment is not lost', async () => {
  const member = await platform.newMember();
  await platform.standIn('payments', { webhooks: false, webhookPause: 60_000 });
  const { id, link } = await platform.checkout(member, 10);
  await platform.pay(link);
  await platform.standIn('payments', { webhooks: true, webhookPause: 50 });
  await dispute(id, 'created', 'dp_4', 'needs_response', 400);
  assert.equal(await balanceOf(member), 6);
});

test('refunds and disputes in any order never take more than was paid', async () => {
  let made = 0;
  const step = fc.oneof(
    fc.record({ kind: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 400 }) }),
    fc.record({
      kind: fc.constant('dispute' as const),
      which: fc.nat({ max: 1 }),
      cents: fc.integer({ min: 0, max: 1200 }),
      status: fc.constantFrom('warning_needs_response', 'needs_response', 'under_review', 'lost', 'won'),
    }),
    fc.record({ kind: fc.constant('spend' as const), keys: fc.integer({ min: 1, max: 4 }) }),
  );
  const RANK: Record<string, number> = { warning_needs_response: 0, needs_response: 1, under_review: 1 };
  type Held = { rank: number; cents: number };
  const isNewer = (one: Held, before: Held): boolean =>
    one.rank > before.rank || (one.rank === before.rank && one.cents > before.cents);
  const rankOf = (status: string): number => RANK[status] ?? (status === 'lost' ? 2 : 3);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { member, session } = await bought(10);
      const other = await platform.newMember();
      const run = ++made;
      let [refunded, taken, short, spent] = [0, 0, 0, 0];
      const disputes = new Map<number, Held>();
      const align = () => {
        const held = [...disputes.values()].filter(({ rank }) => rank === 1 || rank === 2);
        const gone = Math.min(
          1000,
          held.reduce((sum, { cents }) => sum + cents, refunded),
        );
        const due = Math.floor((10 * gone) / 1000) - taken - short;
        // What is missing is left to operators, and no longer owed before anything is given back.
        const forgiven = due > 0 ? 0 : Math.min(short, -due);
        const moved = due > 0 ? Math.min(due, 10 - spent - taken) : due + forgiven;
        taken += moved;
        short += due - moved;
      };
      for (const one of steps) {
        if (one.kind === 'refund') {
          // What would be more than was paid is refused.
          refunded += (await refund(session, one.cents)).ok ? one.cents : 0;
          align();
        } else if (one.kind === 'dispute') {
          await dispute(session, 'updated', `dp_${run}_${one.which}`, one.status, one.cents);
          const rank = rankOf(one.status);
          const before = disputes.get(one.which) ?? { rank: -1, cents: 0 };
          const cents = Math.min(1000, one.cents);
          if (!isNewer({ rank, cents }, before)) continue;
          disputes.set(one.which, { rank, cents });
          align();
        } else if (one.keys <= 10 - spent - taken) {
          await member.client.call(transferKeys, { body: { toUserId: other.id, amount: one.keys } });
          spent += one.keys;
        }
        assert.equal(await balanceOf(member), 10 - spent - taken);
      }
      const rows = await database.all(
        `select returned, short from wallet.purchase join merchant.checkout on checkout_id = id where session_id = $1`,
        [session],
      );
      assert.deepEqual([rows[0]?.returned, rows[0]?.short], [taken, short]);
    }),
    { numRuns: 25 },
  );
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
