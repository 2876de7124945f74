import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  const { status, body } = await ada.client.post(`/v1/wallets/${operation}`, {
    ...OPERATIONS[operation],
    metadata,
  });
  return [status, body.errors?.map(({ field }: { field: string }) => field)];
};
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
  };
  for (const operation of all) {
    for (const [name, value] of Object.entries(stamps))
      assert.deepEqual(await post(operation, { [name]: value }), [422, [`metadata.${name}`]]);
    const [status, fields] = await post(operation, { ...stamps, note: 'x' });
    assert.deepEqual(
      [status, fields.sort()],
      [
        422,
        Object.keys(stamps)
          .map((name) => `metadata.${name}`)
          .sort(),
      ],
    );
    assert.deepEqual(await post(operation, { note: 'x', AdminId: 'mine', course: { adminId: 'x' } }), [
      201,
      undefined,
    ]);
  }
});

test('fields of gifts are validated in transfers and refused elsewhere', async () => {
  for (const operation of ['fund', 'withdraw'] as const) {
    assert.deepEqual(await post(operation, { gift: true }), [422, ['metadata.gift']]);
    assert.deepEqual(await post(operation, { surface: 'meeting' }), [422, ['metadata.surface']]);
  }
  for (const surface of ['livestream', 'educator', 'meeting'])
    assert.deepEqual(await post('transfer', { gift: true, surface }), [201, undefined]);
  assert.deepEqual(await post('transfer', { gift: false }), [201, undefined]);
  for (const gift of ['true', 1, {}])
    assert.deepEqual(await post('transfer', { gift }), [422, ['metadata.gift']]);
  for (const surface of ['street', '', 5])
    assert.deepEqual(await post('transfer', { gift: true, surface }), [422, ['metadata.surface']]);
  assert.deepEqual(await post('transfer', { surface: 'meeting' }), [422, ['metadata']]);
});

test('administrators cannot forge the metadata of the platform', async () => {
  const metadata = { adminId: 'x', adminEmail: 'x', manualFunding: false, fundedAt: 'x', note: 'x' };
  const { status, data } = await admin.post('/v1/wallets/admin/fund', {
    userId: ben.id,
    amount: 1,
    metadata,
  });
  assert.equal(status, 201);
  const { fundedAt, ...stamp } = data.transaction.metadata;
  assert.deepEqual(stamp, {
    adminId: platform.adminId,
    adminEmail: 'admin@example.com',
    manualFunding: true,
    note: 'x',
  });
  assert.ok(Date.parse(fundedAt));
});
