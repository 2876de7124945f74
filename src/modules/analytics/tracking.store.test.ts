import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/live.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { type NewFact, trackingStore } from './tracking.store.ts';

const { database } = await ownDatabase(4);

const ADA = 'a'.repeat(24);
const BEN = 'b'.repeat(24);
const AT = new Date('2026-03-01T12:00:00Z');
const factOf = (id: string, userId: string, name: string): NewFact => ({
  id: id.repeat(24),
  userId,
  name,
  type: 'test',
  cents: 1,
  at: AT,
  metadata: '{}',
});

test('facts number all new members before any name, so that two batches do not wait for each other', async () => {
  const waiting = () =>
    database.count(`select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%new_people%'`);
  const { storing } = await database.transaction(async (other) => {
    await other.execute(
      `insert into analytics.name (source, name, type) values ('platform', 'first', 'test')`,
    );
    const storing = database.transaction(async (tx) => {
      trackingStore.record(tx, [factOf('1', ADA, 'first'), factOf('2', BEN, 'second')]);
    });
    await until(async () => (await waiting()) === 1, 'the facts wait for the name');
    const numbering = database.transaction(async (third) => {
      await third.execute(`set local lock_timeout = '200ms'`);
      await third.execute('insert into analytics.person (user_id) values ($1)', [BEN]);
    });
    await assert.rejects(numbering, { code: '55P03' }, 'Ben has his number already');
    return { storing };
  });
  await storing;
  assert.equal(await database.count('select count(*) from analytics.event'), 2);
});
