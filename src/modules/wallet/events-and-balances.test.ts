import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  debitWallet,
  deleteUser,
  fundWalletAsAdmin,
  listEvents,
  listNotifications,
  reverseTransaction,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

// Other systems keep balances by adding up the public events of wallets, whatever happens to the Keys.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client, database } = platform;
await platform.standIn('payments', { payouts: 'hold', webhookPause: 0 });
const reason = 'A mistake of ours';

interface Movement {
  userId: string;
  fromUserId: string;
  toUserId: string;
  amount: number;
}

/** Adds up the events of every wallet, as a receiver of the feed does. */
async function sumsOfEvents(): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  const add = (userId: string, keys: number) => sums.set(userId, (sums.get(userId) ?? 0) + keys);
  for (let after: string | undefined; ; ) {
    const { data: events, body } = await client.call(listEvents, {
      query: { limit: 500, ...(after && { after }) },
    });
    for (const { type, data } of events as unknown as { type: string; data: Movement }[]) {
      const { userId, fromUserId, toUserId, amount } = data;
      if (type === 'wallet.funded' || type === 'withdrawal.returned') add(userId, amount);
      if (type === 'wallet.refunded' || type === 'withdrawal.requested') add(userId, -amount);
      if (type === 'wallet.transferred') {
        add(fromUserId, -amount);
        add(toUserId, amount);
      }
    }
    if (body.pagination.nextCursor === null) return sums;
    after = body.pagination.nextCursor;
  }
}

const outcomeOf = async <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

async function assertSumsAreBalances(): Promise<void> {
  const accounts = await database.all<{ name: string; balance: string }>(
    "select name, balance from wallet.account where name like 'wallet:%' order by name",
  );
  const balances = accounts.map(({ name, balance }) => [name.slice('wallet:'.length), Number(balance)]);
  let sums: unknown[] = [];
  const areEqual = async () => {
    const byUser = await sumsOfEvents();
    sums = balances.map(([userId]) => [userId, byUser.get(String(userId)) ?? 0]);
    return JSON.stringify(sums) === JSON.stringify(balances);
  };
  await outcomeOf(until(areEqual, 'the events of all movements'));
  assert.deepEqual(sums, balances);
}

const reverse = (transactionId: string, allowPartial = false) =>
  admin.attempt(reverseTransaction, { params: { transactionId }, body: { reason, allowPartial } });

test('a member hears of Keys that a correction gives back, and so do other systems', async () => {
  const [ada, ben] = [await platform.newMemberWith(50), await platform.newMemberWith(0)];
  const { data } = await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 30 } });
  assert.equal((await reverse(data.transaction.transactionId)).status, 201);
  const heard = async () =>
    (await ada.client.call(listNotifications)).data.find(({ metadata }) => metadata.source === 'correction');
  await until(async () => (await heard()) !== undefined, 'the notification');
  const told = await heard();
  assert.deepEqual([told?.title, told?.message], ['30 Keys added', 'Your wallet now holds 50 Keys.']);
  await assertSumsAreBalances();
});

test('Keys that a member forfeits with the account leave the sum of its events, too', async () => {
  const ada = await platform.newMemberWith(40);
  await admin.call(deleteUser, { params: { userId: ada.id }, body: { remainingKeys: 'forfeit' } });
  await assertSumsAreBalances();
});

const amount = fc.integer({ min: 1, max: 40 });
const place = fc.nat(2);
const kindOf = <const Kind extends string>(kind: Kind) => fc.constant(kind);
const step = fc.oneof(
  fc.record({ kind: kindOf('fund'), to: place, amount }),
  fc.record({ kind: kindOf('transfer'), from: place, to: place, amount }),
  fc.record({ kind: kindOf('debit'), from: place, amount, allowPartial: fc.boolean() }),
  fc.record({ kind: kindOf('reverse'), which: fc.nat(), allowPartial: fc.boolean() }),
  fc.record({ kind: kindOf('buy'), to: place, amount, refunded: fc.nat(100) }),
  fc.record({
    kind: kindOf('withdraw'),
    from: place,
    amount,
    outcome: fc.constantFrom('none', 'completed', 'failed', 'cancelled'),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Does one step; `reversible` collects the transactions that a later step may reverse. */
async function play(one: Step, members: Member[], reversible: string[]): Promise<void> {
  const member = (at: number) => members[at] as Member;
  const keep = (transactionId: string | undefined) => transactionId && reversible.push(transactionId);
  switch (one.kind) {
    case 'fund': {
      const body = { userId: member(one.to).id, amount: one.amount };
      keep((await admin.attempt(fundWalletAsAdmin, { body })).data?.transaction.transactionId);
      return;
    }
    case 'transfer': {
      const body = { toUserId: member(one.to).id, amount: one.amount };
      keep((await member(one.from).client.attempt(transferKeys, { body })).data?.transaction.transactionId);
      return;
    }
    case 'debit': {
      const { from, kind: _, ...rest } = one;
      const body = { userId: member(from).id, reason, ...rest };
      keep((await admin.attempt(debitWallet, { body })).data?.transaction.transactionId);
      return;
    }
    case 'reverse': {
      const transactionId = reversible[one.which % Math.max(1, reversible.length)];
      if (transactionId) await reverse(transactionId, one.allowPartial);
      return;
    }
    case 'buy': {
      const { id, link, usd } = await platform.checkout(member(one.to), one.amount);
      await platform.pay(link);
      const cents = Math.floor(usd * one.refunded);
      if (cents === 0) return;
      await fetch(`${platform.sandboxUrl}/control/payments/${id}/refund`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ cents }),
      });
      return;
    }
    case 'withdraw': {
      const { data } = await member(one.from).client.attempt(withdrawKeys, { body: { amount: one.amount } });
      if (!data || one.outcome === 'none') return;
      const params = { transactionId: data.transaction.transactionId };
      await admin.attempt(settleWithdrawal, { params, body: { outcome: one.outcome as 'failed', reason } });
    }
  }
}

test('the sum of the events of a wallet is its balance, whatever moved its Keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 15 }), place, async (steps, leaving) => {
      const members = await Promise.all([1, 2, 3].map(() => platform.newMemberWith(60)));
      const reversible: string[] = [];
      for (const one of steps) await play(one, members, reversible);
      const params = { userId: (members[leaving] as Member).id };
      await admin.call(deleteUser, { params, body: { remainingKeys: 'forfeit' } });
      await assertSumsAreBalances();
    }),
    // A shorter history would have to wait for its missing events, too.
    { numRuns: 8, endOnFailure: true },
  );
});
