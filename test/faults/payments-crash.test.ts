import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  buyKeys,
  cancelWithdrawal,
  getBalance,
  listTransactions,
  signUp,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Answer, Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { PATIENCE_MS } from '../support/live.ts';
import { PAYMENT_WEBHOOK_SECRET, pay } from '../support/platform.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';

// The process is killed between any two steps of a checkout and of a withdrawal, and started again. Its client
// continues with the same Idempotency-Keys, and everything must take effect once.

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
/** The step of the provider at which the platform is killed. */
let deadly: string | undefined;
const seen = new Set<string>();
const sandbox = await startSandbox({
  port: 0,
  paymentWebhookSecret: PAYMENT_WEBHOOK_SECRET,
  payoutDelay: 0,
  onStep: (step) => {
    seen.add(step);
    if (step !== deadly) return;
    deadly = undefined;
    program.process.kill('SIGKILL');
  },
});
const control = async (body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${sandbox.url}/control/payments`, { method: 'POST', headers, body: JSON.stringify(body) });
};
await control({ webhookPause: 50 });
const environment = {
  DATABASE_URL: url,
  ...PRODUCTION,
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_sandbox',
  STRIPE_WEBHOOK_SECRET: PAYMENT_WEBHOOK_SECRET,
  STRIPE_API_URL: sandbox.url,
  CHECKOUT_SUCCESS_URL: 'https://example.com/paid',
  CHECKOUT_CANCEL_URL: 'https://example.com/back',
};
async function launch() {
  const started = await startProgram(['src/main.js', 'start'], environment);
  sandbox.deliverTo(started.readyValues.url as string);
  return started;
}
let program = await launch();
async function launchAgain(): Promise<void> {
  await program.end('SIGKILL');
  program = await launch();
}
after(async () => {
  await program.end('SIGKILL');
  await sandbox.close();
  await database.close();
  await drop();
});

const client = () => new Client(program.readyValues.url as string, { 'x-api-key': environment.API_KEY });

/** Repeats a request with the same key until there is a response, as a careful client does. */
async function insist<Given extends Pick<Answer, 'status' | 'body'>>(
  token: string,
  key: string,
  send: (member: Client) => Promise<Given>,
): Promise<Given> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    try {
      const answer = await send(client().as(token).with({ 'idempotency-key': key }));
      if (answer.status < 500 && answer.status !== 409) return answer;
      if (answer.body.error === 'PAYOUT_ENDED' || answer.body.error === 'WITHDRAWAL_NOT_PENDING')
        return answer;
      await sleep(100);
    } catch {
      await launchAgain();
    }
  }
  throw new Error(`the request with the key ${key} is never answered`);
}

async function newMember(): Promise<string> {
  const draft = { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' };
  return (await client().call(signUp, { body: { ...draft, platform: 'web' } })).data.accessToken;
}
const balanceOf = async (token: string) => (await client().as(token).attempt(getBalance)).data?.balance;

async function until(what: () => Promise<boolean>, message: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await sleep(50)) {
    if (program.process.killed) await launchAgain();
    try {
      if (await what()) return;
    } catch {
      await launchAgain();
    }
    assert.ok(Date.now() < deadline, message);
  }
}

async function figures(): Promise<{ sessions: number; payouts: number }> {
  const response = await fetch(`${sandbox.url}/control/payments`);
  const { sessionsMade: sessions, payoutsMade: payouts } = (await response.json()) as Record<string, number>;
  return { sessions: sessions as number, payouts: payouts as number };
}

async function scenario(step: string | undefined, ending: 'paid' | 'failed' | 'cancel'): Promise<void> {
  const before = await figures();
  await control({ payouts: ending === 'cancel' ? 'hold' : ending });
  const token = await newMember();
  deadly = step;
  const bought = await insist(token, 'buy', (member) => member.attempt(buyKeys, { body: { amount: 100 } }));
  assert.equal(bought.status, 201);
  await pay(bought.data?.paymentLink as string);
  await until(async () => (await balanceOf(token)) === 100, 'the Keys come');
  const withdrawal = await insist(token, 'withdraw', (member) =>
    member.attempt(withdrawKeys, { body: { amount: 30 } }),
  );
  assert.equal(withdrawal.status, 201);
  const transactionId = withdrawal.data?.transaction.transactionId as string;
  const statusOf = async (): Promise<string> => {
    const { data } = await client()
      .as(token)
      .call(listTransactions, { query: { type: 'withdrawal' } });
    return data[0]?.status ?? assert.fail('the withdrawal is not listed');
  };
  if (ending === 'cancel') {
    await until(async () => (await figures()).payouts > before.payouts, 'the provider has it');
    await insist(token, 'cancel', (member) =>
      member.attempt(cancelWithdrawal, { params: { transactionId } }),
    );
  }
  await until(async () => (await statusOf()) !== 'pending', 'it ends');
  // The step may come after the withdrawal has ended: then the provider learns that its webhook was accepted.
  await until(async () => deadly === undefined, `${step} is reached; these were: ${[...seen].join(', ')}`);

  const expected = { paid: 'completed', failed: 'failed', cancel: 'cancelled' }[ending];
  assert.equal(await statusOf(), expected);
  assert.equal(await balanceOf(token), expected === 'completed' ? 70 : 100);
  const { data: all } = await client().as(token).call(listTransactions);
  assert.equal(all.length, expected === 'completed' ? 2 : 3);
  const now = await figures();
  assert.deepEqual([now.sessions - before.sessions, now.payouts - before.payouts], [1, 1]);
  assert.deepEqual(await ledgerFaults(database), []);
}

const STEPS: [string, 'paid' | 'failed' | 'cancel'][] = [
  ['POST /v1/checkout/sessions asked', 'paid'],
  ['POST /v1/checkout/sessions answered', 'paid'],
  ['webhook checkout.session.completed sent', 'paid'],
  ['webhook checkout.session.completed answered', 'paid'],
  ['POST /v1/payouts asked', 'paid'],
  ['POST /v1/payouts answered', 'failed'],
  ['webhook payout.paid sent', 'paid'],
  ['webhook payout.failed answered', 'failed'],
  ['POST /v1/payouts/:id/cancel asked', 'cancel'],
  ['POST /v1/payouts/:id/cancel answered', 'cancel'],
];
for (const [step, ending] of STEPS) {
  test(`after a kill at "${step}" payments take effect once`, { timeout: 600_000 }, () =>
    scenario(step, ending),
  );
}
