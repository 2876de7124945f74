// Programs of two releases beside each other: what erases accounts has a version that the former one leaves to the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUser } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { ERASURE_RULES } from '../users/users.model.ts';

/** No worker takes the jobs. */
const platform = await startPlatform({ ROLE: 'api', LOG_LEVEL: 'silent' });
const { admin, database } = platform;

/** Returns the versions of what erases an account and waits, by its name: the event or its deliveries, and the jobs. */
async function versionsOf(id: string): Promise<Map<string, number>> {
  const rows = await database.all<{ name: string; version: number }>(
    `select event as name, (one ->> 'version')::integer as version
     from kernel.outbox, jsonb_array_elements(events::jsonb) one
     where event = 'identity.user-deleted' and one::text like $1
     union
     select regexp_replace(name, '^on[.](identity[.]user-deleted)[.].*', '\\1'), coalesce((data ->> '$version')::integer, 1)
     from jobs.job where (name like 'on.identity.user-deleted.%' or name like 'identity.erase-%') and data::text like $1`,
    [`%${id}%`],
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

test('what erases an account is left to programs that know the present rules', async () => {
  assert.ok(ERASURE_RULES > 1, 'programs of former releases take version 1');
  const gone = await platform.newMember();
  await admin.call(deleteUser, { params: { userId: gone.id } });
  const versions = await versionsOf(gone.id);
  for (const name of ['user-deleted', 'erase-again', 'erase-records'])
    assert.equal(versions.get(`identity.${name}`), ERASURE_RULES, name);

  await database.execute('delete from kernel.outbox');
  await database.execute('delete from jobs.job');
  await database.execute('update identity.user set erased_by = 1 where id = $1', [gone.id]);
  await platform.platform.runJob('identity.erase-by-present-rules');
  assert.equal((await versionsOf(gone.id)).get('identity.user-deleted'), ERASURE_RULES);
});
