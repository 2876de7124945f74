import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import pg from 'pg';
import { fundWalletAsAdmin, getBalance, transferKeys, withdrawKeys } from '../../sdk/src/index.ts';
import { besideWaiting, untilAvailable } from '../support/holding.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

// An operator's session, or a backup tool, holds a lock on the row of one wallet. Transfers of other members must not
// wait for it.

const platform = await startPlatform({
  LOG_LEVEL: 'silent',
  DATABASE_CONNECTIONS: '6',
  VERIFIED_EMAIL: 'money',
});
const { admin, database, databaseUrl } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const operator = new pg.Client({ connectionString: databaseUrl });
operator.on('error', () => undefined); // the database is dropped before this connection ends
await operator.connect();
after(() => operator.end());

const hold = async ({ id }: Member): Promise<void> => {
  await operator.query('begin');
  await operator.query('select from wallet.account where name = $1 for update', [`wallet:${id}`]);
};
const release = () => operator.query('rollback');
// A test that fails leaves no lock to the next one.
afterEach(release);
const send = (from: Member, to: Member, amount = 1) =>
  from.client.attempt(transferKeys, { body: { toUserId: to.id, amount } });
const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const statusesOf = (answers: { status: number }[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

const [held, ada, ben, eve] = [
  await platform.newMemberWith(100),
  await platform.newMemberWith(100),
  await platform.newMemberWith(100),
  await platform.newMemberWith(100),
] as [Member, Member, Member, Member];
await database.execute('update identity.user set email_verified = true');

test('a locked wallet does not delay transfers of others', async () => {
  await hold(held);
  const waiting = await besideWaiting(
    // In both directions, so that each of the other wallets takes part in a transfer that waits.
    async () => [ada, ben, eve].flatMap((other) => [send(other, held), send(held, other)]),
    async () => [
      ...(await Promise.all([send(ada, ben), send(ben, eve), send(eve, ada)])),
      await admin.attempt(fundWalletAsAdmin, { body: { userId: ada.id, amount: 1 } }),
      await ada.client.attempt(withdrawKeys, { body: { amount: 1 } }),
    ],
  );
  await release();
  const unexpected = statusesOf(await Promise.all(waiting)).filter((status) => ![201, 503].includes(status));
  assert.deepEqual(unexpected, []);
});

test('the locked row of a member delays only payments by this member', async () => {
  await operator.query('begin');
  await operator.query('select from identity.user where id = $1 for update', [held.id]);
  const waiting = await besideWaiting(
    async () => Array.from({ length: 20 }, () => held.client.attempt(withdrawKeys, { body: { amount: 1 } })),
    async () => [
      ...(await Promise.all([send(ada, ben), send(ben, eve), send(eve, held)])),
      await ada.client.attempt(withdrawKeys, { body: { amount: 1 } }),
    ],
  );
  await release();
  const unexpected = statusesOf(await Promise.all(waiting)).filter((status) => ![201, 503].includes(status));
  assert.deepEqual(unexpected, []);
});

test('a refused transfer does not make transfers of others fail', async () => {
  await database.execute('update identity.user set email_verified = false where id = $1', [held.id]);
  const withdraw = ({ client }: Member) => client.attempt(withdrawKeys, { body: { amount: 1 } });
  const answers = await Promise.all(
    [ada, held, ben, held, eve].map((member) => untilAvailable(() => withdraw(member))),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 403, 201, 403, 201],
  );
  await database.execute('update identity.user set email_verified = true where id = $1', [held.id]);
});

test('transfers that wait for a locked wallet complete once it is free', async () => {
  const before = await balanceOf(held);
  await until(async () => {
    await hold(held);
    const waiting = send(ada, held);
    await send(ben, eve);
    await release();
    return (await waiting).status === 201;
  }, 'a transfer that is not refused first');
  assert.equal(await balanceOf(held), before + 1);
});

test('a transfer that waits too long is 503 and has no effect', async () => {
  const before = await Promise.all([held, ada, ben].map(balanceOf));
  await hold(held);
  const answers = await Promise.all([
    ...Array.from({ length: 150 }, () => send(ada, held)),
    ...Array.from({ length: 150 }, () => send(held, ben)),
    admin.attempt(fundWalletAsAdmin, { body: { userId: held.id, amount: 5 } }),
  ]);
  assert.deepEqual(statusesOf(answers), [503]);
  assert.ok(answers.every(({ headers }) => headers.get('retry-after')));
  await release();
  assert.deepEqual(await Promise.all([held, ada, ben].map(balanceOf)), before);
});

test('a payment for a locked wallet does not delay payments for others', async () => {
  await platform.standIn('payments', { webhookPause: 200 });
  const [stuck, other] = [await platform.checkout(held, 10), await platform.checkout(eve, 10)];
  const before = { held: await balanceOf(held), eve: await balanceOf(eve) };
  await hold(held);
  const paying = platform.pay(stuck.link);
  await platform.pay(other.link);
  await until(async () => (await balanceOf(eve)) === before.eve + 10, 'the Keys of the other');
  await release();
  await paying;
  await until(async () => (await balanceOf(held)) === before.held + 10, 'the Keys once the wallet is free');
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
