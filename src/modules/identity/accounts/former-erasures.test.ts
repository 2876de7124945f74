// Accounts that were erased by an earlier release, whose modules left something that today's erase.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUser } from '../../../../sdk/src/index.ts';
import { settled } from '../../../../test/support/events.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { ERASURE_RULES } from '../users/users.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;

test('what a former deletion has left is erased by the present rules, and of nobody else', async () => {
  const [gone, ada] = [await platform.newMember(), await platform.newMember()];
  await admin.call(deleteUser, { params: { userId: gone.id } });
  await settled(database);
  const erasedBy = async () =>
    (
      await database.first<{ by: number }>('select erased_by as by from identity.user where id = $1', [
        gone.id,
      ])
    )?.by;
  assert.equal(await erasedBy(), ERASURE_RULES);

  // As the earlier release left it.
  await database.execute('update identity.user set erased_by = 0');
  for (const { id } of [gone, ada]) {
    await database.execute(
      `insert into search.history (user_id, key, query, result_count, searched_at) values ($1, 'gold', 'Gold', 1, now())`,
      [id],
    );
    await database.execute(
      'insert into identity.last_seen (user_id, day) values ($1, current_date) on conflict do nothing',
      [id],
    );
  }
  const leftOf = (id: string) =>
    database.count(
      `select (select count(*) from search.history where user_id = $1) + (select count(*) from identity.last_seen where user_id = $1)`,
      [id],
    );
  assert.equal(await leftOf(gone.id), 2);
  await platform.platform.runJob('identity.erase-by-present-rules');
  await until(async () => (await leftOf(gone.id)) === 0, 'the erasure');
  assert.deepEqual([await leftOf(ada.id), await erasedBy()], [2, ERASURE_RULES]);

  const published = () =>
    database.count(`select count(*) from webhooks.event where type = 'user.deleted' and data::text like $1`, [
      `%${gone.id}%`,
    ]);
  await settled(database);
  assert.equal(await published(), 1, 'other systems are told once');
});
