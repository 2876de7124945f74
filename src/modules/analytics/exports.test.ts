import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregateEvents, exportEvents, trackEvent, trackEvents } from '../../../sdk/src/index.ts';
import { holding } from '../../../test/support/holding.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { DAY_MS } from '../../kernel/time/time.ts';

const { admin, clock, database, newMember } = await startPlatform({ LOG_LEVEL: 'silent' });

test('exports contain whole events without executable formulas', async () => {
  const { client } = await newMember();
  await client.call(trackEvent, {
    body: {
      eventName: '=cmd()',
      eventType: 'export',
      metadata: { text: 'a,"b"' },
    },
  });
  const { body, headers } = await admin.call(exportEvents, { query: { eventType: 'export' } });
  assert.match(headers.get('content-type') ?? '', /text\/csv/);
  const lines = String(body).trim().split('\r\n');
  assert.equal(lines.length, 2);
  assert.ok(lines[1]?.includes("'=cmd()"));
});

test('an aggregate that exceeds its limit fails instead of returning a partial file', async () => {
  const names = Array.from({ length: 12 }, (_, place) => `queued-${place}`);
  const requests = await holding(database, async (tx) => {
    await tx.execute('lock table analytics.daily in access exclusive mode');
    const answers = names.map((name) =>
      admin.attempt(aggregateEvents, { query: { format: 'csv', eventName: name } }),
    );
    // Two exports run and eight wait, so there is no room for the last two.
    const refused = Promise.withResolvers<void>();
    let left = 2;
    for (const answer of answers) void answer.then(() => --left === 0 && refused.resolve());
    await refused.promise;
    return answers;
  });
  const answers = await Promise.all(requests);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [...names.slice(2).map(() => 200), 503, 503],
  );
  const failed = answers.find(({ status }) => status === 503);
  assert.equal(failed?.body.error, 'SERVICE_UNAVAILABLE');
});

test('an export contains each matching event once, in order, across empty days', async () => {
  const { client } = await newMember();
  const name = 'gaps';
  const times = [29, 29, 12.3, 12.2, 5, 0.1, 0].map((days) => clock.now() - Math.floor(days * DAY_MS));
  const events = [...times, ...Array.from({ length: 500 }, () => clock.now() - 3 * DAY_MS)].map((at) => ({
    eventName: name,
    eventType: 'export',
    timestamp: new Date(at).toISOString(),
  }));
  assert.equal((await client.call(trackEvents, { body: { events } })).status, 202);
  const exported = async (more: { startDate?: string; endDate?: string } = {}): Promise<string[]> => {
    const { body } = await admin.call(exportEvents, { query: { eventName: name, ...more } });
    return String(body)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[5] as string);
  };
  const expected = events.map(({ timestamp }) => timestamp).toSorted();
  assert.deepEqual(await exported(), expected);
  const [from, to] = [expected[2] as string, expected[5] as string];
  assert.deepEqual(
    await exported({ startDate: from, endDate: to }),
    expected.filter((at) => at >= from && at <= to),
  );
});

test('an export to the end of all time ends after the last event', async () => {
  const { client } = await newMember();
  await client.call(trackEvent, { body: { eventName: 'last', eventType: 'export' } });
  const { body } = await admin.call(exportEvents, {
    query: { eventName: 'last', startDate: '0001-01-01T00:00:00Z', endDate: '9999-12-31T23:59:59Z' },
  });
  assert.equal(String(body).trim().split('\r\n').length, 2);
});

test('an export ends where more events than one statement reads lie within a millisecond', async () => {
  const name = 'crowded';
  const { client } = await newMember();
  await client.call(trackEvent, { body: { eventName: name, eventType: 'export' } });
  await database.execute(
    `insert into analytics.event (occurred_at, received_at, person, name, own_name, own_type, id, metadata)
     select date_trunc('second', occurred_at) + interval '0.5 ms', received_at, person, name, own_name, own_type,
       'crowded-' || place, '{}'
     from analytics.event cross join generate_series(1, 4500) place
     where name = (select no from analytics.name where source = 'client' and name = $1)`,
    [name],
  );
  const { body } = await admin.call(exportEvents, { query: { eventName: name } });
  const ids = String(body)
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  assert.equal(ids.length, 4501);
  assert.equal(new Set(ids).size, 4501);
  await database.execute(`delete from analytics.event where id like 'crowded-%'`);
});
