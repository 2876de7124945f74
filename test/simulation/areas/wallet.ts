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
import type { Area, Doing } from '../area.ts';
import { type Actor, type Stage, Violation } from '../stage.ts';

// The simplest model there is: what was answered with success has happened once, and nothing else has.

export const walletKinds = {
  'wallet.transfer': 8,
  'wallet.transfer-twice': 5,
  'wallet.fund': 2,
  'wallet.buy': 4,
  'wallet.withdraw': 4,
  'wallet.lock': 1,
};

const SETTLING_TRIES = 40;
/** How soon the provider is asked again for what it has not told, at the latest, and how often until it must have been. */
const ASKING_MS = HOUR_MS;
const ASKED = 2;
/** Keys; the rest of the amounts is what nobody has. */
const AMOUNTS = [1, 2, 3, 5, 8, 13, 21, 34, 60, 99, 500, 0];

export function walletArea(stage: Stage): Area<typeof walletKinds> {
  const { people, admin, database, balances } = stage;
  const pending = new Map<string, { who: number; amount: number }>();
  const amountOf = (pick: number): number => AMOUNTS[pick % AMOUNTS.length] as number;
  const other = (pick: number): Actor => people[pick % people.length] as Actor;
  const move = ({ number }: Actor, change: number): void => {
    balances[number] = (balances[number] as number) + change;
  };

  /** Under a key of its own, so that it takes effect once. */
  const keyed = () => {
    const key = stage.unique();
    return (client: Client): Client => client.with({ 'idempotency-key': key });
  };

  async function transfer({ actor, pick: [to, amount] }: Doing, times: number): Promise<void> {
    const [receiver, keys] = [other(to), amountOf(amount)];
    const body = { toUserId: receiver.id, amount: keys };
    const under = keyed();
    const send = () => stage.insist(actor, (client) => under(client).attempt(transferKeys, { body }));
    const answers = await Promise.all(Array.from({ length: times }, send));
    const status = agreed(answers);
    stage.note(
      `${actor.name} transfers ${keys} to ${receiver.name}, ${times} times under one key: ${status}`,
    );
    if (status !== 201) return;
    stage.pay(actor, receiver, keys);
  }

  return {
    commands: {
      'wallet.transfer': (doing) => transfer(doing, 1),
      'wallet.transfer-twice': (doing) => transfer(doing, 2),
      'wallet.fund': async ({ actor, pick: [amount] }) => {
        const body = { userId: actor.id, amount: amountOf(amount) };
        const under = keyed();
        const { status } = await stage.insist(admin, (client) =>
          under(client).attempt(fundWalletAsAdmin, { body }),
        );
        stage.note(`${actor.name} is given ${body.amount}: ${status}`);
        if (status === 201) move(actor, body.amount);
      },
      'wallet.buy': async ({ actor, pick: [amount, end] }) => {
        const body = { amount: amountOf(amount) };
        const under = keyed();
        const answer = await stage.attempt(actor, (client) => under(client).attempt(buyKeys, { body }));
        const outcome = (['pay', 'pay', 'decline', 'cancel', 'leave'] as const)[end % 5];
        stage.note(`${actor.name} buys ${body.amount} (${outcome}): ${answer?.status}`);
        if (!answer?.data || outcome === 'leave') return;
        // Who pays twice pays once.
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
        const under = keyed();
        const { status, data } = await stage.insist(actor, (client) =>
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
        stage.note(`${actor.name}'s withdrawal is to end as ${ending}: ${ended?.status}`);
      },
      'wallet.lock': async ({ actor, pick: [locked] }) => {
        const params = { userId: actor.id };
        const body = { locked: locked % 2 === 0 };
        await stage.insist(admin, (client) => client.attempt(changeWallet, { params, body }));
        stage.note(`${actor.name}'s wallet is locked: ${body.locked}`);
      },
    },

    settle: async () => {
      // Webhooks that are withheld never come: the platform asks.
      await stage.tell('payments', { mode: 'ok', payouts: 'paid', payoutDelay: 0 });
      const platform = await stage.installation.platform();
      for (let tries = 0; tries < SETTLING_TRIES; tries++) {
        stage.clock.advance(ASKING_MS);
        await platform.runJob('merchant.reconcile').catch(() => undefined);
        const open = await database.count('select count(*) from merchant.payout where settled_at is null');
        if (open === 0 && tries > ASKED) return;
      }
      throw new Violation('payouts never end');
    },

    judge: async () => {
      const { data: all } = await stage.insist(admin, (client) =>
        client.attempt(listWithdrawals, { query: { limit: 100 } }),
      );
      for (const { transactionId, status } of all ?? []) {
        const made = pending.get(transactionId);
        assert.notEqual(status, 'pending', 'a withdrawal never ends');
        assert.ok(made, 'a withdrawal that nobody made');
        if (status !== 'completed') balances[made.who] = (balances[made.who] as number) + made.amount;
      }
      assert.equal(all?.length, pending.size, 'each withdrawal is there once');
      const shown = [];
      for (const actor of people) {
        const { data } = await stage.insist(actor, (client) => client.attempt(getBalance));
        const { data: sums } = await stage.insist(actor, (client) =>
          client.attempt(getTransactionStatistics),
        );
        shown.push(data?.balance);
        assert.equal(
          sums?.netBalance,
          data?.balance,
          `the statistics of ${actor.name} are those of the balance`,
        );
      }
      assert.deepEqual(shown, balances, 'each balance is what was answered');
      assert.deepEqual(await ledgerFaults(database), [], 'the invariants of the ledger hold');
    },
  };
}

/** The status on which all answers to one request agree. */
function agreed(answers: Answer[]): number {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const successes = answers.filter(({ status }) => status < 300);
  if (successes.length > 0 && statuses.length > 1)
    throw new Violation(`one request under one key was answered ${statuses.join(' and ')}`);
  return statuses[0] as number;
}
