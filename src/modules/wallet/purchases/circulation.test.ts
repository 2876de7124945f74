import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyKeys, fundWalletAsAdmin } from '../../../../sdk/src/index.ts';
import { bringIntoCirculation, circulationOf } from '../../../../test/support/circulation.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import {
  circulationLimitExceeded,
  GRANTED_UP_TO,
  MAX_ISSUED_AT_ONCE,
  SOLD_UP_TO,
  tooManyAtOnce,
} from '../ledger/circulation.ts';

const platform = await startPlatform();
const { admin } = platform;

test('administrators grant a trillion Keys at once, and as many together as leave room for those that are paid for', async () => {
  const ada = await platform.newMemberWith(0);
  const grant = (amount: number) => admin.attempt(fundWalletAsAdmin, { body: { userId: ada.id, amount } });
  assertRefused(await grant(MAX_ISSUED_AT_ONCE + 1), tooManyAtOnce);
  await bringIntoCirculation(platform.database, ada.id, GRANTED_UP_TO - MAX_ISSUED_AT_ONCE);
  const [one, other] = await Promise.all([grant(MAX_ISSUED_AT_ONCE), grant(MAX_ISSUED_AT_ONCE)]);
  assert.deepEqual([one.status, other.status].sort(), [201, 409]);
  assertRefused(await grant(1), circulationLimitExceeded);
  const { link } = await platform.checkout(ada, 25);
  await platform.pay(link);
  await until(async () => (await circulationOf(platform.database)) === GRANTED_UP_TO + 25, 'paid Keys come');
});

test('no checkout begins whose Keys could not be credited', async () => {
  const ada = await platform.newMemberWith(0);
  await bringIntoCirculation(platform.database, ada.id, SOLD_UP_TO - 24);
  const buy = (amount: number) => ada.client.attempt(buyKeys, { body: { amount } });
  assertRefused(await buy(25), circulationLimitExceeded);
  assertRefused(await buy(MAX_ISSUED_AT_ONCE + 1), tooManyAtOnce);
  assert.equal((await buy(24)).status, 201);
});
