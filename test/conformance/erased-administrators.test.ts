import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  fundWalletAsAdmin,
  getTransaction,
  listActiveExchangeRates,
  listAllTransactions,
  listTransactions,
  setExchangeRate,
  updateUser,
} from '../../sdk/src/index.ts';
import { erasureTools } from '../support/erasure.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
const { signedUp, leave } = erasureTools(platform);

test('members no longer see the address of a deleted administrator at rates and in their history', async () => {
  const [before, email] = ['eve.before@example.com', 'eve@example.com'];
  const eve = await signedUp(before, { firstName: 'Spring', lastName: 'Rates' });
  const ada = await signedUp('ada-with-keys@example.com', { firstName: 'Ada', lastName: 'L' });
  const permissions = { permissions: ['admin'] };
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: permissions });
  const rate = (by: typeof admin, currency: string, notes: string) =>
    by.call(setExchangeRate, { body: { rate: 2, currency, notes } });
  await rate(eve.client, 'EUR', 'As agreed');
  await admin.call(updateUser, { params: { userId: eve.id }, body: { email } });
  await rate(eve.client, 'GBP', `Spring, asked by ${email}`);
  await rate(admin, 'CHF', `Spring, asked by ${email}`);
  await rate(admin, 'JPY', 'Spring, asked by steve@example.com');
  await eve.client.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 5 } });
  await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 6 } });
  const emailsIn = async () => {
    const own = (await ada.client.call(listTransactions)).data;
    const [newest] = own;
    const one = await ada.client.call(getTransaction, {
      params: { transactionId: own[1]?.transactionId ?? '' },
    });
    const query = { userId: ada.id };
    const all = (await admin.call(listAllTransactions, { query })).data;
    const of = (metadata: unknown) => (metadata as { adminEmail: string }).adminEmail;
    return [newest, one.data, ...all].map((transaction) => of(transaction?.metadata));
  };
  assert.deepEqual(await emailsIn(), [ADMIN.email, email, ADMIN.email, email]);
  await leave(eve);
  assert.deepEqual(await emailsIn(), [ADMIN.email, 'deleted', ADMIN.email, 'deleted']);
  const active = (await ada.client.call(listActiveExchangeRates)).data;
  const shown = active.map(({ currency, updatedBy, notes }) => [currency, updatedBy.email, notes]);
  assert.deepEqual(
    shown.filter(([currency]) => currency !== 'USD'),
    [
      ['CHF', ADMIN.email, 'deleted, asked by deleted'],
      ['EUR', 'deleted', 'As agreed'],
      ['GBP', 'deleted', 'deleted, asked by deleted'],
      ['JPY', ADMIN.email, 'Spring, asked by steve@example.com'],
    ],
  );
});
