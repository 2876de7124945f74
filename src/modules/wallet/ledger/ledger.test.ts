import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fundWalletAsAdmin, getBalance, transferKeys } from '../../../../sdk/src/index.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, database } = platform;

test('concurrent operations conserve Keys and keep every hash chain', async () => {
  const operation = fc.record({
    from: fc.nat({ max: 4 }),
    to: fc.nat({ max: 4 }),
    amount: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(0, -5, 1.5, 9007199254740991)),
    isFunding: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 40 }), async (operations) => {
      const members = await Promise.all(Array.from({ length: 5 }, () => platform.newMemberWith(100)));
      const model = members.map(() => 100);
      await Promise.all(
        operations.map(async ({ from, to, amount, isFunding }) => {
          const target = members[to] as (typeof members)[number];
          const sender = members[from] as (typeof members)[number];
          const { status } = await untilAvailable<{ status: number }>(() =>
            isFunding
              ? admin.attempt(fundWalletAsAdmin, { body: { userId: target.id, amount: amount % 1000 } })
              : sender.client.attempt(transferKeys, { body: { toUserId: target.id, amount } }),
          );
          if (status !== 201) {
            assert.equal(status, 400);
            return;
          }
          model[to] = (model[to] as number) + (isFunding ? amount % 1000 : amount);
          if (!isFunding) model[from] = (model[from] as number) - amount;
        }),
      );
      // Exactly the operations whose response was a success have taken effect.
      const balances = await Promise.all(
        members.map(async ({ client }) => (await client.call(getBalance)).data.balance),
      );
      assert.deepEqual(balances, model);
      assert.deepEqual(await ledgerFaults(database), []);
    }),
    { numRuns: 12 },
  );
});

test('many opposite transfers neither deadlock nor lose Keys', async () => {
  const pair = [await platform.newMemberWith(1000), await platform.newMemberWith(1000)] as const;
  const storm = Array.from({ length: 400 }, (_, place) => {
    const [from, to] = place % 2 === 0 ? [pair[0], pair[1]] : [pair[1], pair[0]];
    const keyed = from.client.with({ 'idempotency-key': `storm-${place}` });
    return keyed.callPatiently(transferKeys, { body: { toUserId: to.id, amount: 1 } });
  });
  const answers = await Promise.all(storm);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const balances = await Promise.all(
    pair.map(async ({ client }) => (await client.call(getBalance)).data.balance),
  );
  assert.deepEqual(balances, [1000, 1000]);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('of concurrent transfers that would overdraw together exactly those that fit succeed', async () => {
  const ada = await platform.newMemberWith(50);
  const ben = await platform.newMemberWith(0);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, place) => {
      const keyed = ada.client.with({ 'idempotency-key': `overdrawing-${place}` });
      return untilAvailable(() => keyed.attempt(transferKeys, { body: { toUserId: ben.id, amount: 7 } }));
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 7);
  assert.equal((await ada.client.call(getBalance)).data.balance, 1);
});

const INSERT = `insert into wallet.entry
  (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at)`;

/** Moves Keys between 'issued' and the account \$1, by hand. */
const pairOf = (seq: string, before: string, received: string, change: number): string =>
  `${INSERT}
   select id, ${seq}, (select transaction_id from wallet.entry limit 1), 'fund', change, ${before}, ${before} + change,
     ${received} + greatest(change, 0), sha256(''), now()
   from wallet.account join (values ('issued', ${-change}), (null, ${change})) as move (kind, change)
     on account.kind = move.kind or (move.kind is null and account.id = $1)`;

test('the database itself refuses writes that would break the ledger', async () => {
  const ada = await platform.newMemberWith(10);
  const rows = await database.all('select id from wallet.account where user_id = $1', [ada.id]);
  const account = rows[0]?.id as string;
  const attempts: [string, unknown[]][] = [
    ['update wallet.account set balance = balance + 1 where id = $1', [account]],
    ['update wallet.account set last_seq = 0 where id = $1', [account]],
    ["update wallet.account set user_id = repeat('a', 24) where id = $1", [account]],
    ['delete from wallet.account where id = $1', [account]],
    ['update wallet.entry set amount = 99 where account_id = $1', [account]],
    ['delete from wallet.entry where account_id = $1', [account]],
    ['truncate wallet.entry', []],
    ['update wallet.transaction set amount = 99 where to_user_id = $1', [ada.id]],
    ['delete from wallet.transaction where to_user_id = $1', [ada.id]],
    ['delete from kernel.audit_entry', []],
    // A lone entry: it does not balance.
    [
      `${INSERT}
       select account_id, seq + 1, transaction_id, type, 5, balance_after, balance_after + 5, received + 5, hash, now()
       from wallet.entry where account_id = $1`,
      [account],
    ],
    // Balanced entries that do not continue the chain, that falsify the sum received, that leave a gap, or that go
    // below zero.
    [pairOf('last_seq + 1', 'balance + 1', 'received', 5), [account]],
    [pairOf('last_seq + 1', 'balance', 'received + 1', 5), [account]],
    [pairOf('last_seq + 2', 'balance', 'received', 5), [account]],
    [pairOf('last_seq + 1', 'balance', 'received', -50), [account]],
    // An entry without a transaction.
    [
      pairOf('last_seq + 1', 'balance', 'received', 5).replace(
        /\(select transaction_id[^)]*\)/,
        "repeat('f', 24)",
      ),
      [account],
    ],
    // Two at once, the later first: its running numbers would not count the other.
    [
      `with pair as (${pairOf('last_seq + 2', 'balance + 5', 'received + 5', 5).replace(INSERT, '')} union all
         ${pairOf('last_seq + 1', 'balance', 'received', 5).replace(INSERT, '')})
       ${INSERT} select * from pair`,
      [account],
    ],
    ['update wallet.account set received = 0 where id = $1', [account]],
    ["update wallet.account set hash = '' where id = $1", [account]],
    ["update wallet.transaction set status = 'pending' where to_user_id = $1", [ada.id]],
    ["update wallet.transaction set status = 'failed', processed_at = now() where to_user_id = $1", [ada.id]],
    ["update wallet.transaction set metadata = '{}' where to_user_id = $1", [ada.id]],
  ];
  for (const [text, values] of attempts) {
    await assert.rejects(
      database.execute(text, values),
      /append-only|only entries move|do not balance|not_overdrawn|does not come after/,
      text,
    );
  }
  assert.equal((await ada.client.call(getBalance)).data.balance, 10);
  assert.deepEqual(await ledgerFaults(database), []);
});
