import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await platform.newMemberWith(10);
const ben = await platform.newMemberWith(20);
const change = (id: string, body: object) => admin.patch(`/v1/wallets/admin/${id}`, body);
const idsOf = async (query: string): Promise<string[]> =>
  (await admin.get(`/v1/wallets/all${query}`)).data.map(({ userId }: Loose) => userId);

test('locking and unlocking, with a reason, recorded', async () => {
  const { status, data } = await change(ada.id, { locked: true, lockedReason: 'Disputed payment' });
  assert.equal(status, 200);
  assert.deepEqual(
    [data.locked, data.lockedReason, data.isActive, data.balance],
    [true, 'Disputed payment', true, 10],
  );
  assert.equal((await ada.client.get('/v1/wallets/balance')).data.locked, true);
  const again = await change(ada.id, { isActive: false });
  assert.deepEqual(
    [again.data.locked, again.data.lockedReason, again.data.isActive],
    [true, 'Disputed payment', false],
  );
  const unlocked = (await change(ada.id, { locked: false, isActive: true })).data;
  assert.deepEqual([unlocked.locked, unlocked.isActive, 'lockedReason' in unlocked], [false, true, false]);
  const { data: log } = await admin.get(`/v1/admin/audit?action=wallet.changed&target=${ada.id}`);
  assert.deepEqual(log.map(({ details }: Loose) => details).reverse(), [
    { locked: true, lockedReason: 'Disputed payment' },
    { isActive: false },
    { locked: false, isActive: true },
  ]);
});

test('nothing else of a wallet can be changed, and only what is there', async () => {
  const { data } = await change(ben.id, { balance: 1_000_000, userId: ada.id, kind: 'issued' });
  assert.deepEqual([data.balance, data.userId], [20, ben.id]);
  assert.equal((await change(ben.id, { locked: 'yes' })).status, 422);
  assert.equal((await change('nobody', { locked: true })).status, 400);
  assert.equal(
    (await change('f'.repeat(24), { locked: 1 })).body.message,
    'Wallet not found',
    '404 before 422',
  );
});

test('all wallets, newest first, by flag and by page', async () => {
  assert.deepEqual(await idsOf(''), [ben.id, ada.id]);
  assert.deepEqual(await idsOf('?limit=1&page=2'), [ada.id]);
  await change(ada.id, { locked: true });
  await change(ben.id, { isActive: false });
  assert.deepEqual(await idsOf('?locked=true'), [ada.id]);
  assert.deepEqual(await idsOf('?locked=false'), [ben.id]);
  assert.deepEqual(await idsOf('?isActive=false'), [ben.id]);
  assert.deepEqual(await idsOf('?isActive=true&locked=false'), []);
  const { body } = await admin.get('/v1/wallets/all?limit=1000');
  assert.deepEqual(body.pagination, { page: 1, limit: 100, total: 2, pages: 1 });
  assert.equal((await admin.get('/v1/wallets/all?locked=perhaps')).status, 422);
  assert.equal(body.data[0].currency, 'Keys');
});
