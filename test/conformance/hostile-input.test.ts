import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createWallet,
  fundWalletAsAdmin,
  getBalance,
  getProfile,
  listTransactions,
  transferKeys,
} from '../../sdk/src/index.ts';
import { codesOf, type DescribedOperation, describedOperations } from '../support/api-contract.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
/** Returns the codes that the description declares for an operation. */
const codesAt = (method: string, path: string): string[] => {
  const isIt = (one: DescribedOperation) =>
    one.method === method && one.path === path.replaceAll(/:(\w+)/g, '{$1}');
  return codesOf(describedOperations().find(isIt) as DescribedOperation);
};

/** JSON of any shape, including texts that are known to have broken servers. */
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    ...[
      "' or 1=1 --",
      '$where',
      '../../etc/passwd',
      '\u202e',
      '💥'.repeat(50),
      'a'.repeat(5000),
      '%00',
      '{{7*7}}',
    ],
    ...[-1, 0, 1e308, 1.1, Number.MAX_SAFE_INTEGER, 2 ** 53, true, null],
  ),
);

test('unknown fields of a body never reach the database', async () => {
  const member = await platform.newMember();
  const extras = {
    _id: 'f'.repeat(24),
    id: 'f'.repeat(24),
    userId: platform.adminId,
    balance: 1e6,
    locked: true,
    isActive: false,
    status: 'pending',
    type: 'fund',
    fee: 5,
    fromUserId: platform.adminId,
    createdAt: '2000-01-01',
  };
  await member.client.call(createWallet, { body: extras });
  const { data } = await member.client.call(getBalance);
  assert.deepEqual(data, { balance: 0, balanceUSD: 0, currency: 'Keys', locked: false, isActive: true });
  const funded = await admin.call(fundWalletAsAdmin, { body: { ...extras, userId: member.id, amount: 3 } });
  assert.equal(funded.status, 201, JSON.stringify(funded.body));
  const sent = await member.client.call(transferKeys, {
    body: {
      ...extras,
      toUserId: platform.adminId,
      amount: 1,
    },
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  assert.deepEqual([sent.data.fromWallet.userId, sent.data.transaction.status], [member.id, 'completed']);
  const [newest] = (await member.client.call(listTransactions)).data;
  assert.deepEqual([newest?.fromUserId, newest?.type, newest?.fee], [member.id, 'transfer', 0]);
});

test('no input causes a 500 or an undeclared code', async () => {
  let caller = admin;
  for (const { method, path, body, query, id } of platform.platform.operations) {
    // Some operations end the session of their caller.
    if ((await caller.attempt(getProfile)).status === 401) caller = await platform.signInAdmin();
    const fields = Object.keys((body as { properties?: object } | undefined)?.properties ?? {});
    const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostile, { minLength: fields.length, maxLength: fields.length }),
        fc.array(fc.string({ maxLength: 40 }), { minLength: names.length, maxLength: names.length }),
        fc.constantFrom('f'.repeat(24), 'x', '%27', '0', 'a'.repeat(500)),
        async (values, texts, name) => {
          const sent = Object.fromEntries(fields.map((field, place) => [field, values[place]]));
          const search = new URLSearchParams(
            Object.fromEntries(names.map((one, place) => [one, texts[place] as string])),
          );
          const url = `${path.replaceAll(/:\w+/g, name)}?${search}`;
          const { status, body: answer } = await caller.raw(method, url, method === 'GET' ? undefined : sent);
          const context = `${id} ${status} ${answer?.error} ${url} ${JSON.stringify(sent)}`;
          assert.ok(status < 500, context);
          if (status >= 400) assert.ok(codesAt(method, path).includes(answer.error ?? ''), context);
        },
      ),
      { numRuns: 15 },
    );
  }
});
