import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createProduct,
  getOverview,
  getUser,
  report,
  resolveReport,
  submitAccessRequest,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { newRoom, say } from '../../../../test/support/chatrooms.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const { newIndicator, grant, tell, untilStatus } = indicatorTools(platform);
const read = async () => (await admin.call(getOverview)).data;
const countsOf = async () =>
  Object.fromEntries((await read()).worklists.map(({ name, count }) => [name, count]));
const EMPTY = {
  alerts: 0,
  reports: 0,
  withdrawals: 0,
  failedDeliveries: 0,
  failedGrants: 0,
  stuckGrants: 0,
  accessRequests: 0,
  videos: 0,
  failingWebhooks: 0,
  deadJobs: 0,
};

test('each worklist shows the number of waiting items and the age of the oldest', async () => {
  assert.deepEqual(await countsOf(), EMPTY);
  assert.ok((await read()).worklists.every(({ oldestAt }) => oldestAt === null));
  const [ada, ben] = [await platform.newMemberWith(500), await platform.newMember()];
  const began = platform.clock.now();
  await ada.client.call(withdrawKeys, { body: { amount: 100 } });
  const message = await say(ada, await newRoom(ada), 'Buy this!');
  const { data: open } = await ben.client.call(report, {
    body: { kind: 'message', subjectId: message.id, reason: 'Spam' },
  });
  const product = (await admin.call(createProduct, { body: { name: 'A year', productType: 'misc' } })).data;
  await ada.client.call(submitAccessRequest, {
    body: { productId: product.id, fullName: 'Ada L', email: ada.email },
  });
  await tell('fail');
  const scanner = await newIndicator();
  await grant(scanner, ada, 'ada_f');
  await untilStatus(ada, scanner, 'failed');
  await database.execute(
    `insert into jobs.job (name, data, policy, retry_limit) values ('merchant.reconcile.dead', '{}', 'standard', 0)`,
  );
  const { worklists } = await read();
  assert.deepEqual(Object.fromEntries(worklists.map(({ name, count }) => [name, count])), {
    ...EMPTY,
    reports: 1,
    withdrawals: 1,
    failedGrants: 1,
    accessRequests: 1,
    deadJobs: 1,
  });
  for (const { name, count, oldestAt } of worklists) {
    assert.equal(oldestAt !== null, count > 0, name);
    if (oldestAt) assert.ok(Math.abs(new Date(oldestAt).getTime() - began) < 600_000, `${name}: ${oldestAt}`);
  }
  await admin.call(resolveReport, { params: { reportId: open.id }, body: { outcome: 'dismissed' } });
  assert.equal((await countsOf()).reports, 0);
});

test('failures and sign-ins of the last day are counted in intervals of five minutes', async () => {
  const sum = ({ counts }: { counts: number[] }) => counts.reduce((all, one) => all + one, 0);
  const before = await read();
  assert.deepEqual(
    [before.errors.counts.length, before.errors.bucketSeconds, before.signIns.counts.length],
    [288, 300, 288],
  );
  const ada = await platform.newMember();
  await ada.client.attempt(getUser, { params: { userId: ada.id } });
  await until(async () => sum((await read()).errors) > sum(before.errors), 'the failure is stored');
  const after = await read();
  assert.equal(sum(after.signIns), sum(before.signIns) + 1);
  assert.ok(
    after.errors.counts.slice(-2).some((count) => count > 0),
    'the newest buckets are the last',
  );
});

test('the overview shows live connections and degraded systems, only to administrators', async () => {
  const { liveConnections, degraded } = await read();
  assert.deepEqual([liveConnections, Array.isArray(degraded)], [0, true]);
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(getOverview), insufficientPermissions);
});
