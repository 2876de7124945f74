import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockMember, deleteUser, followEducator } from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { topicOfEducator } from './contract.ts';

const platform = await startPlatform();
const { admin, database } = platform;

test('who followed a deleted educator is forgotten, and who parted from them', async () => {
  const educator = await newEducator(platform);
  const [ada, eve] = [await platform.newMember(), await platform.newMember()];
  const params = { userId: educator.id };
  await ada.client.call(followEducator, { params: { educatorId: educator.id } });
  await eve.client.call(blockMember, { params });
  const rows = (table: string) =>
    database.count(`select count(*) from notifications.${table} where topic = $1`, [
      topicOfEducator(educator.id),
    ]);
  const counts = () => Promise.all(['topic_subscription', 'topic_opt_out'].map(rows));
  assert.deepEqual(await counts(), [1, 1]);
  await admin.call(deleteUser, { params });
  await until(async () => (await counts()).every((count) => count === 0), 'the erasure');
});
