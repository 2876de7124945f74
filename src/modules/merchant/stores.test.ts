import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { HOUR_MS, MINUTE_MS, manualClock, SECOND_MS } from '../../kernel/time/time.ts';
import { checkoutStore } from './checkouts.store.ts';
import { disputeStore } from './disputes.store.ts';
import { payoutStore } from './payouts.store.ts';

// What the statements about payments read and write, without a platform around them.

const { database } = await ownDatabase();
const [checkouts, payouts] = [checkoutStore(database), payoutStore(database)];
const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
const AT = new Date();
// Ids begin with the second of the checkout's time, however long this file takes.
const newId = idMaker(manualClock(AT.getTime()));
const at = (ms: number): Date => new Date(AT.getTime() + ms);
const MEMBER = newId();

async function newCheckout(fields: { userId?: ObjectId; nextCheckAt?: Date; createdAt?: Date } = {}) {
  const id = newId();
  const { userId = MEMBER, nextCheckAt = AT, createdAt = AT } = fields;
  const checkout = {
    id,
    sessionId: `session ${id}`,
    userId,
    purpose: 'keys',
    details: { keys: 5 },
    cents: 500,
    expiresAt: at(HOUR_MS),
  };
  const isNew = () => within((tx) => checkouts.insert(tx, checkout, createdAt, nextCheckAt));
  assert.equal(await isNew(), true);
  return { ...checkout, isNew };
}
async function newPayout(createdAt = AT) {
  const id = newId();
  await within((tx) =>
    payouts.insert(tx, { id, reference: `ref ${id}`, userId: MEMBER, cents: 900 }, createdAt),
  );
  return { id, reference: `ref ${id}` };
}
const nextOf = async (table: 'checkout' | 'payout', id: ObjectId) =>
  database.first<{ attempts: number; lastError: string | null; nextCheckAt: Date | null }>(
    `select attempts, last_error, next_check_at from merchant.${table} where id = $1`,
    [id],
  );
const inMs = async (table: 'checkout' | 'payout', id: ObjectId) =>
  ((await nextOf(table, id))?.nextCheckAt?.getTime() ?? Number.NaN) - AT.getTime();

test('due items are taken oldest first, and are due again after a quarter of their age', async () => {
  const made = [
    await newCheckout({ nextCheckAt: at(-1) }),
    await newCheckout({ nextCheckAt: at(-3), createdAt: at(-2 * HOUR_MS) }),
    await newCheckout({ nextCheckAt: at(-2), createdAt: at(-40 * HOUR_MS) }),
    await newCheckout({ nextCheckAt: at(1) }),
    await newCheckout({ nextCheckAt: AT }),
  ];
  const [young, older, old, later, now] = made.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const take = async (most: number) => (await checkouts.due.take(most, AT)).map(({ id }) => id).toSorted();
  assert.deepEqual(await take(2), [older, old].toSorted());
  assert.deepEqual(await take(9), [young, now].toSorted());
  assert.deepEqual(await take(9), []);
  assert.deepEqual(
    [await inMs('checkout', young), await inMs('checkout', older), await inMs('checkout', old)],
    [MINUTE_MS, HOUR_MS / 2, HOUR_MS],
  );
  assert.equal(await inMs('checkout', later), 1);
  await database.execute('update merchant.checkout set next_check_at = null');
});

test('an item that another process takes is left to it', async () => {
  const [one, other] = [
    await newCheckout({ nextCheckAt: at(-2) }),
    await newCheckout({ nextCheckAt: at(-1) }),
  ];
  const taken = await within(async (tx) => {
    await tx.all('select id from merchant.checkout where id = $1 for update', [one.id]);
    return checkouts.due.take(9, AT);
  });
  assert.deepEqual(
    taken.map(({ id }) => id),
    [other.id],
  );
  await database.execute('update merchant.checkout set next_check_at = null');
});

test('an item that fails is postponed twice as long each time, and what failed is kept', async () => {
  const { id } = await newPayout();
  const pauses: number[] = [];
  for (let failures = 1; failures <= 6; failures++) {
    await within((tx) => payouts.due.postpone(tx, id, AT, new Error(`failure ${failures}`)));
    pauses.push((await inMs('payout', id)) / MINUTE_MS);
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 15, 15]);
  const { attempts, lastError } = (await nextOf('payout', id)) ?? {};
  assert.deepEqual([attempts, lastError], [6, 'failure 6']);
  await within((tx) => payouts.due.note(tx, id, new Error('by hand', { cause: new Error('no answer') })));
  assert.deepEqual((await nextOf('payout', id))?.lastError, 'by hand: no answer');
  await within((tx) => payouts.due.note(tx, id, new Error('x'.repeat(600))));
  const noted = await nextOf('payout', id);
  assert.deepEqual([noted?.attempts, noted?.lastError?.length], [8, 500]);
  await within((tx) =>
    payouts.due.postpone(tx, id, AT, new Error('no answer', { cause: new Error('a\0b') })),
  );
  assert.deepEqual((await nextOf('payout', id))?.lastError, 'no answer: ab');
  await database.execute('update merchant.payout set attempts = 40 where id = $1', [id]);
  await within((tx) => payouts.due.postpone(tx, id, AT, new Error('again')));
  assert.equal(await inMs('payout', id), 15 * MINUTE_MS);
  await within((tx) => payouts.due.clear(tx, id));
  const cleared = await nextOf('payout', id);
  assert.deepEqual([cleared?.attempts, cleared?.lastError], [0, null]);
  await database.execute('update merchant.payout set next_check_at = null where id = $1', [id]);
  await within((tx) => payouts.due.postpone(tx, id, AT, new Error('over')));
  assert.deepEqual((await nextOf('payout', id))?.nextCheckAt, null, 'what has ended is not due again');
});

test('a checkout is stored once for each session, and found by any of its identifiers', async () => {
  const checkout = await newCheckout();
  assert.equal(await checkout.isNew(), false);
  const { id, sessionId } = checkout;
  await within((tx) =>
    checkouts.settle(tx, id, { status: 'paid', paymentId: `pi ${id}`, reason: null, at: at(5) }),
  );
  await newCheckout();
  for (const text of [id, sessionId, `pi ${id}`])
    assert.deepEqual(
      (await checkouts.findByAnyId(text)).map((one) => one.id),
      [id],
    );
  assert.equal((await within((tx) => checkouts.lockBySession(tx, sessionId)))?.id, id);
  assert.equal((await within((tx) => checkouts.lockByPayment(tx, `pi ${id}`)))?.id, id);
  const { status, settledAt, providerStatus, refundedCents } = (await checkouts.facts(id)) ?? assert.fail();
  assert.deepEqual([status, settledAt, refundedCents], ['paid', at(5), 0]);
  assert.equal((await nextOf('checkout', id))?.nextCheckAt, null);
  await within(async (tx) => {
    await checkouts.settle(tx, id, { status: 'failed', paymentId: null, reason: 'no', at: at(6) });
    await checkouts.setProviderStatus(tx, id, 'expired');
    await checkouts.setRefunded(tx, id, 250);
  });
  const found = (await checkouts.find(id)) ?? assert.fail();
  assert.deepEqual(
    [found.paymentId, found.reason, found.providerStatus, found.refundedCents],
    [`pi ${id}`, 'no', 'expired', 250],
  );
  assert.notEqual(providerStatus, 'expired');
  assert.equal((await checkouts.factsOf([sessionId]))[0]?.lastError, 'no');
});

test('a payment without a checkout is recorded once', async () => {
  const record = (subject: string) => within((tx) => checkouts.insertUnknown(tx, subject, { cents: 5 }, AT));
  assert.deepEqual([await record('pi_1'), await record('pi_1'), await record('pi_2')], [true, false, true]);
});

test('checkouts are filtered by status, member and period, newest first', async () => {
  const userId = newId();
  const made = [await newCheckout({ userId }), await newCheckout({ userId }), await newCheckout({ userId })];
  await newCheckout();
  const [one, two, three] = made.map(({ id }) => id) as [string, string, string];
  await within((tx) =>
    checkouts.settle(tx, two, { status: 'expired', paymentId: null, reason: null, at: AT }),
  );
  const list = async (filter: Parameters<typeof checkouts.pageOf>[0]) =>
    (await checkouts.pageOf({ userId, ...filter }, { page: 1, limit: 9 })).items.map(({ id }) => id);
  assert.deepEqual(await list({}), [three, two, one]);
  assert.deepEqual(await list({ status: 'open' }), [three, one]);
  assert.deepEqual(await list({ from: AT, to: AT }), [three, two, one]);
  assert.deepEqual(await list({ from: at(1) }), []);
  assert.deepEqual(await list({ to: at(-1) }), []);
  assert.deepEqual(await list({ from: at(-HOUR_MS), to: at(HOUR_MS) }), [three, two, one]);
});

test('a decision about a payout is kept until it is dropped by itself, or the payout ends without it', async () => {
  const [payout, other] = [await newPayout(), await newPayout()];
  const decide = (id: ObjectId, decisionId: string) =>
    within((tx) =>
      payouts.setDecision(tx, id, {
        outcome: 'failed',
        reason: 'r',
        id: decisionId,
        isOperators: false,
        details: { by: 'ada' },
      }),
    );
  const decisionOf = async ({ reference }: { reference: string }) => {
    const { ending, reason, decisionId, decision } = (await payouts.find(reference)) ?? assert.fail();
    return [ending, reason, decisionId, decision];
  };
  await decide(payout.id, 'd1');
  await decide(other.id, 'd1');
  assert.deepEqual(await decisionOf(payout), ['failed', 'r', 'd1', { by: 'ada' }]);
  await within((tx) => payouts.dropDecision(tx, payout.id, 'd2'));
  assert.equal((await decisionOf(payout))[2], 'd1');
  await within((tx) => payouts.dropDecision(tx, payout.id, 'd1'));
  assert.deepEqual(await decisionOf(payout), [null, null, null, null]);
  assert.equal((await decisionOf(other))[2], 'd1', 'of another payout');
  const settle = (id: ObjectId, decisionId: string | null) =>
    within((tx) => payouts.settle(tx, id, { outcome: 'failed', reason: 'over', decisionId, at: AT }));
  await settle(other.id, 'd1');
  assert.deepEqual(await decisionOf(other), ['failed', 'over', 'd1', { by: 'ada' }]);
  await settle(other.id, null);
  assert.deepEqual(await decisionOf(other), [null, 'over', null, null]);
  assert.equal((await nextOf('payout', other.id))?.nextCheckAt, null);
});

test('a payout is found by its id and reference, with what administrators see of it', async () => {
  const [payout, other] = [await newPayout(), await newPayout()];
  await within(async (tx) => {
    await payouts.setStatus(tx, payout.id, 'submitted');
    await payouts.setProviderId(tx, payout.id, `po ${payout.id}`);
  });
  const locked = await within((tx) => payouts.lock(tx, payout.id));
  assert.deepEqual(locked, await within((tx) => payouts.lockByReference(tx, payout.reference)));
  assert.deepEqual(
    [locked?.status, locked?.providerId, locked?.cents],
    ['submitted', `po ${payout.id}`, 900],
  );
  assert.equal((await payouts.find(other.reference))?.status, 'queued');
  await within((tx) => payouts.due.note(tx, payout.id, new Error('no answer')));
  const factsOf = async () => {
    const [facts] = await payouts.factsOf([payout.reference]);
    return [facts?.status, facts?.attempts, facts?.lastError];
  };
  assert.deepEqual(await factsOf(), ['submitted', 1, 'no answer']);
  await within((tx) =>
    payouts.settle(tx, payout.id, { outcome: 'failed', reason: 'closed', decisionId: null, at: AT }),
  );
  assert.deepEqual(await factsOf(), ['failed', 1, 'closed']);
});

test('open and lost disputes withhold the Keys of their checkout, and others do not', async () => {
  const [one, other] = [await newCheckout(), await newCheckout()];
  const save = (
    id: string,
    checkoutId: ObjectId,
    cents: number,
    status: 'open' | 'lost' | 'won' | 'inquiry',
  ) => within((tx) => disputeStore.save(tx, { id, checkoutId, cents, status }, at(SECOND_MS)));
  const held = () => within((tx) => disputeStore.heldCents(tx, one.id));
  assert.equal(await held(), 0);
  await save('dp_1', one.id, 1, 'open');
  await save('dp_2', one.id, 20, 'lost');
  await save('dp_3', one.id, 300, 'won');
  await save('dp_4', one.id, 4_000, 'inquiry');
  await save('dp_5', other.id, 50_000, 'open');
  assert.equal(await held(), 21);
  await save('dp_1', one.id, 2, 'won');
  assert.equal(await held(), 20);
  const found = await within((tx) => disputeStore.find(tx, 'dp_1'));
  assert.deepEqual(found, { id: 'dp_1', checkoutId: one.id, cents: 2, status: 'won' });
});

test('a checkout or payout that is being ended is not ended by others meanwhile', async () => {
  const { id, sessionId } = await newCheckout();
  await within((tx) =>
    checkouts.settle(tx, id, { status: 'paid', paymentId: `pi ${id}`, reason: null, at: AT }),
  );
  const payout = await newPayout();
  for (const [rows, of, lock] of [
    ['merchant.checkout', id, (tx) => checkouts.lockBySession(tx, sessionId)],
    ['merchant.checkout', id, (tx) => checkouts.lockByPayment(tx, `pi ${id}`)],
    ['merchant.payout', payout.id, (tx) => payouts.lock(tx, payout.id)],
    ['merchant.payout', payout.id, (tx) => payouts.lockByReference(tx, payout.reference)],
  ] as [string, string, Parameters<typeof keepsFromChange>[1]][])
    assert.equal(await keepsFromChange(database, lock, `${rows} where id = $1`, [of]), true, String(lock));
});
