import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundWalletAsAdmin } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
const ada = await platform.newMemberWith(1000);
const ben = await platform.newMemberWith(0);

const OPERATIONS = {
  transfer: { toUserId: ben.id, amount: 1 },
  fund: { amount: 1 },
  withdraw: { amount: 1 },
};
const post = async (operation: keyof typeof OPERATIONS, metadata: object) => {
  const { status, body } = await ada.client.raw('POST', `/v1/wallets/${operation}`, {
    ...OPERATIONS[operation],
    metadata,
  });
  return { status, fields: body.errors?.map(({ field }) => field).sort() };
};
const ACCEPTED = { status: 201, fields: undefined };
const refusal = (...fields: string[]) => ({ status: 422, fields: fields.sort() });
const all = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];

test('metadata fields reserved for the platform are 422 and named', async () => {
  const stamps = {
    manualFunding: true,
    adminId: platform.adminId,
    adminEmail: 'admin@example.com',
    fundedAt: new Date().toISOString(),
    checkoutSessionId: 'cs_1',
    withdrawalId: 'txn_1',
    disputeId: 'dp_1',
    disputedUsd: 1,
    refundedUsd: 1,
    courseId: platform.adminId,
  };
  for (const operation of all) {
    for (const [name, value] of Object.entries(stamps))
      assert.deepEqual(await post(operation, { [name]: value }), refusal(`metadata.${name}`));
    assert.deepEqual(
      await post(operation, { ...stamps, note: 'x' }),
      refusal(...Object.keys(stamps).map((name) => `metadata.${name}`)),
    );
    assert.deepEqual(
      await post(operation, { note: 'x', AdminId: 'mine', course: { adminId: 'x' } }),
      ACCEPTED,
    );
  }
});

test('fields of gifts are validated in transfers and refused elsewhere', async () => {
  for (const operation of ['fund', 'withdraw'] as const) {
    assert.deepEqual(await post(operation, { gift: true }), refusal('metadata.gift'));
    assert.deepEqual(await post(operation, { surface: 'meeting' }), refusal('metadata.surface'));
  }
  for (const surface of ['livestream', 'educator', 'meeting'])
    assert.deepEqual(await post('transfer', { gift: true, surface }), ACCEPTED);
  assert.deepEqual(await post('transfer', { gift: false }), ACCEPTED);
  for (const gift of ['true', 1, {}])
    assert.deepEqual(await post('transfer', { gift }), refusal('metadata.gift'));
  for (const surface of ['street', '', 5])
    assert.deepEqual(await post('transfer', { gift: true, surface }), refusal('metadata.surface'));
  assert.deepEqual(await post('transfer', { surface: 'meeting' }), refusal('metadata'));
});

test('administrators cannot forge the metadata of the platform', async () => {
  const metadata = { adminId: 'x', adminEmail: 'x', manualFunding: false, fundedAt: 'x', note: 'x' };
  const { data } = await admin.call(fundWalletAsAdmin, { body: { userId: ben.id, amount: 1, metadata } });
  const { fundedAt, ...stamp } = data.transaction.metadata;
  assert.deepEqual(stamp, {
    adminId: platform.adminId,
    adminEmail: 'admin@example.com',
    manualFunding: true,
    note: 'x',
  });
  assert.ok(Date.parse(String(fundedAt)));
});
