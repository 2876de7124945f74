import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerDevice, sendBulkNotification } from '../../../sdk/src/index.ts';
import { holding } from '../../../test/support/holding.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';
import type { Delivery, Settlement } from './deliveries.model.ts';
import { deliveryStore } from './deliveries.store.ts';
import { deliveringTogether } from './delivering-together.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const newId = idMaker(systemClock);
const sent: Settlement = { status: 'sent', error: null };

test('concurrent deliveries share statements, and a statement that fails fails only those that share it', async () => {
  const settled: { ids: string[]; status: string }[] = [];
  const reads: string[][] = [];
  const { find, settle } = deliveringTogether({
    clock: systemClock,
    store: {
      findAll: async (ids, channel) => {
        reads.push(ids);
        return ids.map((notificationId) => ({ notificationId, channel }) as Delivery).slice(1);
      },
      settle: async (_channel, ids, { status, error }) => {
        if (error === 'lost') throw new Error('the connection broke');
        settled.push({ ids, status });
      },
    },
  });
  const [a, b, c, d] = [newId(), newId(), newId(), newId()];
  const found = await Promise.all(
    [a, b, b, c].map((notificationId) => find({ notificationId, channel: 'push' })),
  );
  assert.deepEqual(reads, [[a, b, c]]);
  assert.deepEqual(
    found.map((one) => one?.notificationId),
    [undefined, b, b, c],
  );

  const outcomes = await Promise.allSettled([
    settle({ channel: 'push', ids: [a], settlement: sent }),
    settle({ channel: 'push', ids: [b], settlement: { status: 'pending', error: 'lost' } }),
    settle({ channel: 'push', ids: [c], settlement: { ...sent } }),
    settle({ channel: 'push', ids: [d], settlement: { status: 'failed', error: 'busy' } }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  );
  assert.deepEqual(settled, [
    { ids: [a, c], status: 'sent' },
    { ids: [d], status: 'failed' },
  ]);
});

test('pushes that go out together reach each member once, and each has its own result', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, () => platform.newMember()));
  const userIds = members.map(({ id }) => id);
  // A welcome that came after the registration would be pushed too, and the device that is gone would be forgotten with it.
  const welcomed = 'select count(*) from notifications.notification where user_id = any($1)';
  await until(
    async () => (await platform.database.count(welcomed, [userIds])) === members.length,
    'all are welcomed',
  );
  const tokens = members.map((_, place) => `${place === 3 ? 'dead' : 'phone'}-${place}`);
  for (const [place, { client }] of members.entries()) {
    const body = { token: tokens[place] as string, platform: 'android' as const, name: 'My phone' };
    await client.call(registerDevice, { body });
  }
  const notification = {
    type: 'reminder' as const,
    title: 'In an hour',
    message: 'It begins.',
    channels: ['push' as const],
  };
  await platform.admin.call(sendBulkNotification, { body: { userIds, notification } });
  const results = async (): Promise<string[]> => {
    const rows = await platform.database.all<{ userId: string; result: string }>(
      `select delivery.user_id, status || ' ' || attempts as result
       from notifications.delivery join notifications.notification on id = notification_id
       where title = 'In an hour' and channel = 'push' and attempts > 0`,
    );
    return userIds.flatMap((id) => rows.find(({ userId }) => userId === id)?.result ?? []);
  };
  await until(async () => (await results()).length === members.length, 'all are settled');
  const isDead = (token: string): boolean => token.startsWith('dead');
  assert.deepEqual(
    await results(),
    tokens.map((token) => (isDead(token) ? 'unavailable 1' : 'sent 1')),
  );
  const pushes = await Promise.all(
    tokens.map(
      async (token) =>
        (await platform.pushesTo(token)).filter(({ notification: { title } }) => title === 'In an hour')
          .length,
    ),
  );
  assert.deepEqual(
    pushes,
    tokens.map((token) => (isDead(token) ? 0 : 1)),
  );
});

test('results that are written together with those of a member who is being erased are written once more', async () => {
  const { database } = platform;
  const { settle } = deliveringTogether({ clock: systemClock, store: deliveryStore(database) });
  const lock = `select from notifications.delivery where notification_id = $1 and channel = 'push' for update`;
  let ids: ObjectId[] = [];
  let settled: Promise<unknown> | undefined;
  await holding(database, async (tx) => {
    // PostgreSQL may end this transaction instead of the statement, and this is run again then: with other deliveries, since
    // the results of the former ones have been written.
    ids = [newId(), newId()];
    await database.execute(
      `insert into notifications.delivery (notification_id, channel, user_id, status, created_at)
       select id, 'push', $2, 'pending', now() from unnest($1::text[]) as id`,
      [ids, newId()],
    );
    await tx.all(lock, [ids[1]]);
    const settling = Promise.all(ids.map((id) => settle({ channel: 'push', ids: [id], settlement: sent })));
    let fault: Error | undefined;
    settling.catch((error: Error) => {
      fault = error;
    });
    const waiting = `select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update notifications.delivery%'`;
    await until(async () => {
      if (fault) throw fault;
      return (await database.count(waiting)) > 0;
    }, 'the statement waits for the second row');
    await tx.all(lock, [ids[0]]);
    settled = settling;
  });
  await settled;
  const statuses = await database.all(
    'select status, attempts from notifications.delivery where notification_id = any($1)',
    [ids],
  );
  assert.deepEqual(statuses, [
    { status: 'sent', attempts: 1 },
    { status: 'sent', attempts: 1 },
  ]);
});
