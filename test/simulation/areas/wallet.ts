import assert from 'node:assert/strict';
import {
  buyKeys,
  cancelWithdrawal,
  changeWallet,
  fundWalletAsAdmin,
  getBalance,
  getTransactionStatistics,
  listWithdrawals,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { HOUR_MS } from '../../../src/kernel/time/time.ts';
import type { Answer } from '../../support/answer.ts';
import type { Client } from '../../support/client.ts';
import { ledgerFaults } from '../../support/ledger-faults.ts';
import type { Area, Execution } from '../area.ts';
import { type Actor, type Stage, Violation } from '../stage.ts';

// Balances as the sum of the requests that were answered with success, each counted once.

export const walletKinds = {
  'wallet.transfer': 8,
  'wallet.transfer-twice': 5,
  'wallet.fund': 2,
  'wallet.buy': 4,
  'wallet.withdraw': 4,
  'wallet.lock': 1,
};

const SETTLING_TRIES = 40;
/** The platform asks the provider for unreported payouts at most this much later; after two times it must have. */
const QUERY_INTERVAL_MS = HOUR_MS;
const QUERIES = 2;
/** Amounts in Keys: most can be afforded at first, 500 never can, and 0 is invalid. */
const AMOUNTS = [1, 2, 3, 5, 8, 13, 21, 34, 60, 99, 500, 0];

export function walletArea(stage: Stage): Area<typeof walletKinds> {
  const { people, admin, database, balances } = stage;
  const pending = new Map<string, { who: number; amount: number }>();
  const amountOf = (pick: number): number => AMOUNTS[pick % AMOUNTS.length] as number;
  const other = (pick: number): Actor => people[pick % people.length] as Actor;
  const move = ({ number }: Actor, change: number): void => {
    balances[number] = (balances[number] as number) + change;
  };

  /** Adds a new idempotency key to all requests of a client, so that retries take effect once. */
  const withNewKey = () => {
    const key = stage.unique();
    return (client: Client): Client => client.with({ 'idempotency-key': key });
  };

  async function transfer({ actor, pick: [to, amount] }: Execution, times: number): Promise<void> {
    const [receiver, keys] = [other(to), amountOf(amount)];
    const body = { toUserId: receiver.id, amount: keys };
    const under = withNewKey();
    const send = () =>
      stage.retryUntilCertain(actor, (client) => under(client).attempt(transferKeys, { body }));
    const answers = await Promise.all(Array.from({ length: times }, send));
    const status = commonStatus(answers);
    stage.note(
      `${actor.name} transfers ${keys} to ${receiver.name}, sent ${times} times with one key: ${status}`,
    );
    if (status !== 201) return;
    stage.recordPayment(actor, receiver, keys);
  }

  return {
    commands: {
      'wallet.transfer': (execution) => transfer(execution, 1),
      'wallet.transfer-twice': (execution) => transfer(execution, 2),
      'wallet.fund': async ({ actor, pick: [amount] }) => {
        const body = { userId: actor.id, amount: amountOf(amount) };
        const under = withNewKey();
        const { status } = await stage.retryUntilCertain(admin, (client) =>
          under(client).attempt(fundWalletAsAdmin, { body }),
        );
        stage.note(`${actor.name} is funded with ${body.amount}: ${status}`);
        if (status === 201) move(actor, body.amount);
      },
      'wallet.buy': async ({ actor, pick: [amount, end] }) => {
        const body = { amount: amountOf(amount) };
        const under = withNewKey();
        const answer = await stage.attempt(actor, (client) => under(client).attempt(buyKeys, { body }));
        const outcome = (['pay', 'pay', 'decline', 'cancel', 'leave'] as const)[end % 5];
        stage.note(`${actor.name} buys ${body.amount} (${outcome}): ${answer?.status}`);
        if (!answer?.data || outcome === 'leave') return;
        // Paying a checkout twice must take effect once.
        for (let times = 0; times <= amount % 2; times++)
          await fetch(answer.data.paymentLink, {
            method: 'POST',
            body: new URLSearchParams({ outcome: outcome ?? 'pay' }),
            redirect: 'manual',
          });
        if (outcome === 'pay') move(actor, body.amount);
      },
      'wallet.withdraw': async ({ actor, pick: [amount, end] }) => {
        const body = { amount: amountOf(amount) };
        const under = withNewKey();
        const { status, data } = await stage.retryUntilCertain(actor, (client) =>
          under(client).attempt(withdrawKeys, { body }),
        );
        stage.note(`${actor.name} withdraws ${body.amount}: ${status}`);
        if (!data) return;
        const { transactionId } = data.transaction;
        move(actor, -body.amount);
        pending.set(transactionId, { who: actor.number, amount: body.amount });
        const ending = (['leave', 'cancel', 'completed', 'failed'] as const)[end % 4];
        if (ending === 'leave' || ending === undefined) return;
        const params = { transactionId };
        const ended =
          ending === 'cancel'
            ? await stage.attempt(actor, (client) => client.attempt(cancelWithdrawal, { params }))
            : await stage.attempt(admin, (client) =>
                client.attempt(settleWithdrawal, { params, body: { outcome: ending } }),
              );
        stage.note(`${actor.name}'s withdrawal is set to ${ending}: ${ended?.status}`);
      },
      'wallet.lock': async ({ actor, pick: [locked] }) => {
        const params = { userId: actor.id };
        const body = { locked: locked % 2 === 0 };
        await stage.retryUntilCertain(admin, (client) => client.attempt(changeWallet, { params, body }));
        stage.note(`${actor.name}'s wallet is locked: ${body.locked}`);
      },
    },

    settle: async () => {
      // Withheld webhooks are never sent later, so the platform has to ask for these payouts.
      await stage.control('payments', { mode: 'ok', payouts: 'paid', payoutDelay: 0 });
      const platform = await stage.installation.platform();
      for (let tries = 0; tries < SETTLING_TRIES; tries++) {
        stage.clock.advance(QUERY_INTERVAL_MS);
        await platform.runJob('merchant.reconcile').catch(() => undefined);
        const open = await database.count('select count(*) from merchant.payout where settled_at is null');
        if (open === 0 && tries > QUERIES) return;
      }
      throw new Violation('some payouts stay unsettled');
    },

    judge: async () => {
      const { data: all } = await stage.retryUntilCertain(admin, (client) =>
        client.attempt(listWithdrawals, { query: { limit: 100 } }),
      );
      for (const { transactionId, status } of all ?? []) {
        const request = pending.get(transactionId);
        assert.notEqual(status, 'pending', 'a withdrawal is still pending');
        assert.ok(request, 'a withdrawal that nobody requested');
        if (status !== 'completed')
          balances[request.who] = (balances[request.who] as number) + request.amount;
      }
      assert.equal(all?.length, pending.size, 'the number of withdrawals');
      const shown = [];
      for (const actor of people) {
        const { data } = await stage.retryUntilCertain(actor, (client) => client.attempt(getBalance));
        const { data: sums } = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(getTransactionStatistics),
        );
        shown.push(data?.balance);
        assert.equal(sums?.netBalance, data?.balance, `the net balance in the statistics of ${actor.name}`);
      }
      assert.deepEqual(shown, balances, 'the balances');
      assert.deepEqual(await ledgerFaults(database), [], 'broken invariants of the ledger');
    },
  };
}

/** The status of all responses to one repeated request. @throws Violation if a success and another status are mixed */
function commonStatus(answers: Answer[]): number {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const successes = answers.filter(({ status }) => status < 300);
  if (successes.length > 0 && statuses.length > 1)
    throw new Violation(`one request with one idempotency key was answered ${statuses.join(' and ')}`);
  return statuses[0] as number;
}
