import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeTrade, createTrade, getDashboard } from '../../../sdk/src/index.ts';
import type { Client } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { DAY_MS } from '../../kernel/time/time.ts';

const platform = await startPlatform();
const { admin, clock } = platform;

/** Records that a member won a trade. */
async function win({ client }: Member): Promise<void> {
  const body = { symbol: 'EURUSD', direction: 'long', entryPrice: 1 } as const;
  const { data: trade } = await client.call(createTrade, { body });
  await client.call(closeTrade, { params: { tradeId: trade.id }, body: { exitPrice: 2 } });
}
const dashboardOf = async (by: Client) => (await by.call(getDashboard, { query: { period: '7d' } })).data;

test('the dashboard counts members, payments and trades of its period', async () => {
  const trader = await platform.newMember();
  const before = await dashboardOf(admin);
  await win(trader);
  const payer = await platform.newMemberWith(0);
  const checkout = await platform.checkout(payer, 50);
  await platform.pay(checkout.link);
  const isPaid = async () => (await dashboardOf(admin)).overview.totalRevenue > before.overview.totalRevenue;
  await until(isPaid, 'the payment');
  const { overview, trading } = await dashboardOf(admin);
  assert.equal(overview.totalRevenue, before.overview.totalRevenue + checkout.usd);
  assert.equal(overview.newUsers, before.overview.newUsers + 1);
  assert.equal(overview.totalUsers, before.overview.totalUsers + 1);
  assert.equal(trading.tradesCreated, before.trading.tradesCreated + 1);
  assert.equal(trading.tradesWon, before.trading.tradesWon + 1);
  assert.equal(trading.winRate, 100);
});

test('actions before the period of the dashboard are counted in the previous period', async () => {
  await win(await platform.newMember());
  const { trading } = await dashboardOf(admin);
  assert.ok(trading.tradesCreated > 0);
  clock.advance(8 * DAY_MS);
  const later = await dashboardOf(await platform.signInAdmin());
  assert.equal(later.trading.tradesCreated, 0);
  assert.equal(later.trading.winRate, 0);
  assert.equal(later.previous.trading.tradesCreated, trading.tradesCreated);
});
