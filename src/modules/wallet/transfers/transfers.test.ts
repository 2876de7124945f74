import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundWalletAsAdmin, listTransactions, transferKeys } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { type Failure, insufficientPermissions } from '../../../kernel/failures.ts';
import { authenticationRequired } from '../../../kernel/operations/access.ts';
import { walletLocked } from '../contract.ts';
import { transferToOneself } from './transfers.ts';

const platform = await startPlatform();
const { admin, client } = platform;
const UNKNOWN = 'f'.repeat(24);

test('a transfer moves Keys immediately and appears in both histories', async () => {
  const ada = await platform.newMemberWith(100);
  const ben = await platform.newMember();
  const sent = await ada.client.call(transferKeys, {
    body: {
      toUserId: ben.id,
      amount: 30,
      description: 'For the session',
      metadata: { gift: true },
    },
  });
  assert.equal(sent.status, 201);
  assert.deepEqual(sent.data.fromWallet, { userId: ada.id, balance: 70 });
  assert.deepEqual(sent.data.toWallet, { userId: ben.id, balance: 30 });
  const { transactionId } = sent.data.transaction;
  assert.deepEqual(sent.data.transaction, {
    transactionId,
    type: 'transfer',
    amount: 30,
    status: 'completed',
  });

  const received = await ben.client.call(listTransactions);
  assert.equal(received.body.pagination.total, 1);
  const [{ createdAt, processedAt, ...rest } = assert.fail()] = received.data;
  assert.equal(createdAt, processedAt);
  assert.deepEqual(rest, {
    transactionId,
    fromUserId: ada.id,
    toUserId: ben.id,
    amount: 30,
    currency: 'Keys',
    type: 'transfer',
    status: 'completed',
    description: 'For the session',
    metadata: { gift: true },
    fee: 0,
    netAmount: 30,
    fromBalanceBefore: null,
    fromBalanceAfter: null,
    toBalanceBefore: 0,
    toBalanceAfter: 30,
  });
  const [newest] = (await ada.client.call(listTransactions)).data;
  assert.equal(newest?.fromBalanceBefore, 100);
  assert.equal(newest?.fromBalanceAfter, 70);
  assert.equal(newest?.toBalanceAfter, null, "the other side's balance is not shown");
});

test('an amount that is not a positive integer is 400, before all other faults', async () => {
  const ada = await platform.newMemberWith(10);
  for (const amount of [0, -1, 1.5, '5', null, true, [], 9007199254740992, undefined]) {
    for (const path of ['/v1/wallets/transfer', '/v1/wallets/admin/fund']) {
      const { status, body } = await admin.raw('POST', path, { amount });
      assert.equal(status, 400, `${path} ${amount}`);
      assert.equal(body.message, 'Amount must be a positive whole number');
      assert.equal(body.error, 'INVALID_AMOUNT');
    }
  }
  const whole = await ada.client.sendText(
    'POST',
    '/v1/wallets/transfer',
    `{"amount": 5.0, "toUserId": "${platform.adminId}"}`,
  );
  assert.equal(whole.status, 201, '5.0 is 5');
});

test('refused transfers have a status and code and move nothing', async () => {
  const ada = await platform.newMemberWith(10);
  const none = await platform.newMember();
  const transfer = (from: typeof ada, body: object) => from.client.raw('POST', '/v1/wallets/transfer', body);
  const cases: [typeof ada, object, number, string, string][] = [
    [ada, { toUserId: none.id, amount: 11 }, 400, 'INSUFFICIENT_BALANCE', 'Insufficient balance'],
    [ada, { toUserId: ada.id, amount: 1 }, 400, 'TRANSFER_TO_ONESELF', 'Cannot transfer to your own wallet'],
    [ada, { toUserId: UNKNOWN, amount: 1 }, 404, 'NOT_FOUND', 'User not found'],
    [ada, { toUserId: 'nobody', amount: 1 }, 400, 'INVALID_ID', 'Invalid user ID'],
    [ada, { amount: 1 }, 422, 'VALIDATION_FAILED', 'Validation failed'],
    [none, { toUserId: ada.id, amount: 1 }, 404, 'WALLET_NOT_FOUND', 'Wallet not found'],
  ];
  for (const [from, body, status, code, message] of cases) {
    const answer = await transfer(from, body);
    assert.deepEqual([answer.status, answer.body.error, answer.body.message], [status, code, message]);
  }
});

test('locked and inactive wallets neither send nor receive', async () => {
  const ada = await platform.newMemberWith(10);
  const ben = await platform.newMemberWith(10);
  const set = (column: string, value: boolean, userId: string) =>
    platform.database.execute(`update wallet.account set ${column} = $1 where user_id = $2`, [value, userId]);
  const send = async (from: typeof ada, to: typeof ada) =>
    (await from.client.attempt(transferKeys, { body: { toUserId: to.id, amount: 1 } })).body.error;
  await set('locked', true, ada.id);
  assert.equal(await send(ada, ben), 'WALLET_LOCKED');
  assert.equal(await send(ben, ada), 'RECIPIENT_UNAVAILABLE');
  const funded = await admin.attempt(fundWalletAsAdmin, { body: { userId: ada.id, amount: 1 } });
  assertRefused(funded, walletLocked);
  await set('locked', false, ada.id);
  await set('is_active', false, ben.id);
  assert.equal(await send(ben, ada), 'WALLET_INACTIVE');
  assert.equal(await send(ada, ben), 'RECIPIENT_UNAVAILABLE');
  await set('is_active', true, ben.id);
  assert.equal(await send(ada, ben), undefined);
});

test('funding records the administrator, whatever the request contains', async () => {
  const ada = await platform.newMember();
  const metadata = { reason: 'prize', adminId: 'me', manualFunding: false };
  const { status, data } = await admin.call(fundWalletAsAdmin, {
    // Fields that only the platform may set are ignored.
    body: {
      userId: ada.id,
      amount: 5,
      description: 'Prize',
      metadata,
      ...{ status: 'pending', _id: UNKNOWN },
    },
  });
  assert.equal(status, 201);
  const { _id: walletId, ...wallet } = data.wallet;
  assert.deepEqual(wallet, { userId: ada.id, balance: 5, currency: 'Keys', isActive: true, locked: false });
  assert.match(walletId, /^[0-9a-f]{24}$/);
  const { fee, netAmount, fromBalanceBefore, fromBalanceAfter, toBalanceBefore, toBalanceAfter } =
    data.transaction;
  assert.deepEqual(
    [fee, netAmount, fromBalanceBefore, fromBalanceAfter, toBalanceBefore, toBalanceAfter],
    [0, data.transaction.amount, null, null, data.wallet.balance - netAmount, data.wallet.balance],
  );
  const { fundedAt, ...stamped } = data.transaction.metadata;
  const stampOfAdmin = {
    adminId: platform.adminId,
    adminEmail: 'admin@example.com',
    manualFunding: true,
  };
  assert.deepEqual(stamped, { reason: 'prize', ...stampOfAdmin });
  assert.ok(!Number.isNaN(Date.parse(String(fundedAt))));
  assert.equal(data.transactionId, data.transaction._id);
  assert.notEqual(data.transaction.transactionId, data.transaction._id);
  assert.deepEqual(
    [data.transaction.type, data.transaction.status, data.transaction.toUserId],
    ['fund', 'completed', ada.id],
  );
  const rows = await platform.database.all(
    'select actor, action, details from kernel.audit_entry where target = $1',
    [ada.id],
  );
  const { transactionId } = data.transaction;
  assert.deepEqual(rows, [
    {
      actor: platform.adminId,
      action: 'wallet.funded',
      details: { amount: 5, description: 'Prize', transactionId, fundedAt, ...stampOfAdmin },
    },
  ]);
});

test('members may not fund', async () => {
  const ada = await platform.newMember();
  const refused = await ada.client.attempt(fundWalletAsAdmin, { body: { userId: ada.id, amount: 5 } });
  assertRefused(refused, insufficientPermissions);
  const anonymous = await client.attempt(fundWalletAsAdmin, { body: { userId: ada.id, amount: 5 } });
  assertRefused(anonymous, authenticationRequired);
});

test('Keys do not move from a wallet to itself, whether a member or a module asks', async () => {
  const ada = await platform.newMember();
  const self = { toUserId: ada.id, amount: 5 };
  assertRefused(await ada.client.attempt(transferKeys, { body: self }), transferToOneself);
  const asked = platform.platform.wallet.transfer({
    ...self,
    fromUserId: ada.id,
    sender: undefined,
    description: '',
    metadata: {},
  });
  await assert.rejects(asked, ({ code }: Failure) => code === transferToOneself().code);
});
