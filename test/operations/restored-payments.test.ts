// The steps of docs/deploying.md after a dump was restored, as far as they are about money.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  buyKeys,
  fundWalletAsAdmin,
  getBalance,
  getOwnCheckout,
  listAlerts,
  signIn,
  signUp,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { connectionEnvironment } from '../../src/cli/backups/postgres-programs.ts';
import { SANDBOX_PAYMENT_KEY, startSandbox } from '../../src/sandbox/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { noDebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { until } from '../support/live.ts';
import { PAYMENT_WEBHOOK_SECRET, pay } from '../support/platform.ts';
import { PRODUCTION, type Program, runProgram, startProgram } from '../support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-restored-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('after a restore the provider tells what was paid, refunded, disputed and paid out since the dump', {
  skip: noDebianPostgres,
}, async (t) => {
  const server = await startDebianPostgres();
  t.after(server.stop);
  const sandbox = await startSandbox({
    port: 0,
    paymentWebhookSecret: PAYMENT_WEBHOOK_SECRET,
    payoutDelay: 0,
    objectsFolder: folder,
  });
  t.after(sandbox.close);
  const environment = {
    ...PRODUCTION,
    DATA_DIR: join(folder, 'data'),
    DRAIN_SECONDS: '0',
    DATABASE_URL: server.url,
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: SANDBOX_PAYMENT_KEY,
    STRIPE_WEBHOOK_SECRET: PAYMENT_WEBHOOK_SECRET,
    STRIPE_API_URL: sandbox.url,
    CHECKOUT_SUCCESS_URL: 'https://app.example.com/paid',
    CHECKOUT_CANCEL_URL: 'https://app.example.com/not-paid',
  };
  let api = new Client('', {});
  async function startOn(url: string): Promise<Program> {
    const program = await startProgram(['src/main.js', 'start'], { ...environment, DATABASE_URL: url });
    t.after(() => program.end('SIGKILL'));
    api = new Client(program.readyValues.url as string, { 'x-api-key': environment.API_KEY });
    sandbox.deliverTo(program.readyValues.url as string);
    return program;
  }
  const control = (path: string, body: object) =>
    fetch(`${sandbox.url}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const clientOf = async (email: string, password: string, platform: 'web' | 'backoffice' = 'web') =>
    api.as((await api.call(signIn, { body: { email, password, platform } })).data.accessToken);
  const asAdmin = () => clientOf(environment.ADMIN_EMAIL, environment.ADMIN_PASSWORD, 'backoffice');
  async function newMember() {
    const email = newEmail();
    const names = { firstName: 'A', lastName: 'B' };
    const body = { email, password: PASSWORD, ...names, platform: 'web' as const };
    const { user } = (await api.call(signUp, { body })).data;
    return { id: user.id, client: () => clientOf(email, PASSWORD) };
  }
  type Member = Awaited<ReturnType<typeof newMember>>;
  /** Without a wallet it is 0, too. */
  const balanceOf = async ({ client }: Member) =>
    (await (await client()).attempt(getBalance)).data?.balance ?? 0;
  /** Opens a checkout for ten Keys. */
  async function opened({ client }: Member) {
    const { checkoutSessionId: id, paymentLink } = (
      await (await client()).call(buyKeys, { body: { amount: 10 } })
    ).data;
    return { id, pay: () => pay(paymentLink) };
  }

  const first = await startOn(server.url);
  const [refunded, disputed, late, buyer, seller] = [
    await newMember(),
    await newMember(),
    await newMember(),
    await newMember(),
    await newMember(),
  ];
  const [toRefund, toDispute, toPay] = [await opened(refunded), await opened(disputed), await opened(late)];
  await toRefund.pay();
  await toDispute.pay();
  await (await asAdmin()).call(fundWalletAsAdmin, { body: { userId: seller.id, amount: 100 } });
  assert.deepEqual([await balanceOf(refunded), await balanceOf(disputed)], [10, 10]);

  const dumpedAt = new Date().toISOString();
  const taken = await runProgram(['src/main.js', 'backup', '--to', folder], environment);
  assert.equal(taken.code, 0, taken.complaints);
  await control(`payments/${toRefund.id}/refund`, { cents: 1_000 });
  await control(`payments/${toDispute.id}/dispute`, {
    event: 'created',
    id: 'dp_1',
    status: 'needs_response',
  });
  await toPay.pay();
  await control(`payments/${toPay.id}/refund`, { cents: 400 });
  const lost = await opened(buyer);
  await lost.pay();
  await (await seller.client()).call(withdrawKeys, { body: { amount: 40 } });
  const members = [refunded, disputed, late, buyer, seller];
  const balances = () => Promise.all(members.map(balanceOf));
  assert.deepEqual(await balances(), [0, 0, 6, 10, 60]);
  const payouts = async () =>
    (
      (await (
        await fetch(`${sandbox.url}/v1/payouts`, {
          headers: { authorization: `Bearer ${SANDBOX_PAYMENT_KEY}` },
        })
      ).json()) as { data: { status: string }[] }
    ).data;
  await until(async () => (await payouts())[0]?.status === 'paid', 'the payout');
  await first.end('SIGTERM');

  const restored = server.url.replace('/platform?', '/platform_restored?');
  const postgres = (program: string, url: string, ...args: string[]) =>
    execFileSync(globSync(`/usr/lib/postgresql/*/bin/${program}`).sort().at(-1) as string, args, {
      env: { ...process.env, ...connectionEnvironment(url) },
    });
  postgres('createdb', server.url, '--template=template0', '--encoding=UTF8', 'platform_restored');
  const dump = taken.output.split('\n')[0] as string;
  const options = ['--no-owner', '--no-privileges', '--no-comments', '--exit-on-error'];
  postgres('pg_restore', restored, '--dbname=platform_restored', ...options, dump);
  // Otherwise it would be asked about them a minute after they were opened.
  const due = 'update merchant.checkout set next_check_at = created_at where next_check_at is not null';
  postgres('psql', restored, '--quiet', `--command=${due}`);
  await startOn(restored);
  await until(async () => (await balanceOf(late)) === 6, 'reconciliation by itself');
  assert.deepEqual(await balances(), [10, 10, 6, 0, 100], 'what the provider had reported before is unknown');

  const replay = (since: string) =>
    runProgram(['src/main.js', 'payments', 'replay', '--since', since], {
      ...environment,
      DATABASE_URL: restored,
    });
  for (let times = 0; times < 2; times++) {
    const replayed = await replay(dumpedAt);
    assert.equal(replayed.code, 0, replayed.complaints);
    assert.match(
      replayed.output,
      times === 0
        ? /^Events since \S+: [1-9]\d* news \(applied, or an alert\), \d+ known already, 0 not readable, 0 failed\.$/m
        : /^Events since \S+: 0 news \(applied, or an alert\), [1-9]\d* known already, 0 not readable, 0 failed\.$/m,
    );
  }
  assert.deepEqual(await balances(), [0, 0, 6, 0, 100]);
  const { data: alerts } = await (await asAdmin()).call(listAlerts, { query: { status: 'open' } });
  assert.deepEqual(alerts.map(({ action }) => action).toSorted(), [
    'payment.dispute-opened',
    'payment.unknown-checkout',
    'payment.unknown-payout',
  ]);
  const detailsOf = (action: string) => alerts.find((alert) => alert.action === action)?.details ?? {};
  assert.equal(detailsOf('payment.unknown-checkout').reference, buyer.id, 'who gets ten Keys by hand');
  const { reference, cents } = detailsOf('payment.unknown-payout');
  assert.deepEqual([String(reference).length, cents], [24, 4_000], 'what is to be taken from the seller');
  const own = { params: { checkoutSessionId: toPay.id } };
  assert.equal((await (await late.client()).call(getOwnCheckout, own)).data.status, 'paid');

  for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', '2026-11-29'])
    assert.match((await replay(wrong)).complaints, /^--since is a time such as /m);
});
