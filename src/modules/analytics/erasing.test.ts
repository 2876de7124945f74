import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  getOwnStatistics,
  listEventTypes,
  listOwnEvents,
  listPopularEvents,
  trackEvent,
  trackEvents,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { DAY_MS } from '../../kernel/time/time.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember } = platform;

test('dropping the events of a month keeps counts and member statistics', async () => {
  const { client } = await newMember();
  const gone = { eventName: 'long.ago', eventType: 'engagement' };
  const { status } = await client.call(trackEvents, { body: { events: [gone, gone] } });
  assert.equal(status, 202);
  await database.execute(
    `update analytics.event set occurred_at = date_trunc('month', now()) - interval '5 days' + interval '1 hour'
     where own_name = 'long.ago'`,
  );
  await database.execute(
    `update analytics.own_day set day = (date_trunc('month', now()) - interval '5 days')::date where own_name = 'long.ago'`,
  );
  await database.execute(
    `update analytics.own_slot set slot = date_trunc('month', now()) - interval '5 days' where own_name = 'long.ago'`,
  );
  const other = async () =>
    (await admin.call(listPopularEvents)).data.find(({ eventName }) => eventName === 'other')?.count;
  const before = await other();
  clock.advance(440 * DAY_MS);
  await platform.platform.runJob('analytics.turn-months');
  clock.advance(-440 * DAY_MS);
  const { data } = await client.call(getOwnStatistics);
  assert.equal(data.totalEvents, 2);
  assert.deepEqual(data.mostCommonEvents, [{ eventName: 'long.ago', count: 2 }]);
  assert.equal((await client.call(listOwnEvents)).body.pagination.total, 0);
  assert.equal(await other(), before);
});

test('deleting a member anonymizes their events and keeps the counts', async () => {
  const { client, id } = await newMember();
  await client.call(trackEvent, {
    body: {
      eventName: 'secret.thing',
      eventType: 'private',
      metadata: { note: 'Xanthippeia' },
    },
  });
  // Tracks an event whose name contains a person's words, as a faulty client might.
  await client.call(trackEvent, { body: { eventName: 'note.Xanthippeia', eventType: 'private' } });
  const countOfOther = async () =>
    (await admin.call(listEventTypes)).data.find(({ eventType }) => eventType === 'other')?.count;
  const counted = await countOfOther();
  await admin.call(deleteUser, { params: { userId: id } });
  await until(
    async () =>
      (await database.count('select count(*) from analytics.person where user_id = $1', [id])) === 0,
    'the erasure',
  );
  assert.equal(
    await database.count(`select count(*) from analytics.event where metadata::text like '%Xanthippeia%'`),
    0,
  );
  for (const table of ['event', 'own_day', 'own_slot', 'past'])
    assert.equal(
      await database.count(`select count(*) from analytics.${table} where own_name like '%Xanthippeia%'`),
      0,
      table,
    );
  assert.equal(await database.count(`select count(*) from analytics.candidate where user_id = $1`, [id]), 0);
  assert.equal(await countOfOther(), counted);
});
