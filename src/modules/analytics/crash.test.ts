import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signUp, trackEvents } from '../../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../../../test/support/client.ts';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { startProgram } from '../../../test/support/programs.ts';
import { openDatabase } from '../../kernel/database/database.ts';

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-analytics-'));
const database = openDatabase({ url: databaseUrl, connections: 2, onBackgroundError: () => undefined });
after(async () => {
  await database.close();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});
const start = () =>
  startProgram(['src/main.js', 'start'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0' });

/** The differences between the stored aggregates and a scan of the events. */
async function faults(): Promise<string[]> {
  const differing = async (what: string, kept: string, scanned: string): Promise<string[]> => {
    const rows = await database.all(
      `(${kept} except ${scanned}) union all (${scanned} except ${kept}) limit 5`,
    );
    return rows.map((row) => `${what}: ${JSON.stringify(row)}`);
  };
  const slots = `select start, name, sum(n)::bigint as n from (
      select start, name, events as n from analytics.slot
      union all select start, name, n from analytics.delta) counted group by 1, 2`;
  const events = `select date_bin('15 minutes', occurred_at, 'epoch'), name, count(*) from analytics.event group by 1, 2`;
  const there = `select * from (select name, slot, person from analytics.arrival
    union select subject, slot, person from analytics.presence where subject > 0) known`;
  const people = `select distinct name, date_bin('15 minutes', occurred_at, 'epoch'), person from analytics.event`;
  const gaps = `select subject, day, before, members from analytics.gap where members <> 0`;
  const linked = `select subject, slot::date, before::date, count(*) from (
      select subject, slot, coalesce(lag(slot) over (partition by person, subject order by slot), '-infinity') as before
      from analytics.presence) l where before::date < slot::date group by 1, 2, 3`;
  const own = (unit: string): string =>
    `select e.person, ${unit}, e.name, coalesce(e.own_name, ''), coalesce(e.own_type, ''), count(*)
     from analytics.event e join analytics.name n on n.no = e.name and n.source = 'client' group by 1, 2, 3, 4, 5`;
  return [
    ...(await differing(
      'own days',
      'select person, day, name, own_name, own_type, events from analytics.own_day',
      own('occurred_at::date'),
    )),
    ...(await differing(
      'own slots',
      'select person, slot, name, own_name, own_type, events from analytics.own_slot',
      own(`date_bin('15 minutes', occurred_at, 'epoch')`),
    )),
    ...(await differing('slots', slots, events)),
    ...(await differing('presence', there, people)),
    ...(await differing('gaps', gaps, linked)),
  ];
}

test('a kill at any moment loses no accepted event and keeps aggregates exact', async () => {
  for (let round = 1; round <= 2; round++) {
    const platform = await start();
    const guest = new Client(platform.readyValues.url as string, {
      'x-api-key': platform.readyValues.adminApiKey as string,
    });
    const { data: signedUp } = await guest.call(signUp, {
      body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
    });
    const client = guest.as(signedUp.accessToken);
    const promised: string[] = [];
    let isOver = false;
    const lane = async (number: number): Promise<void> => {
      for (let count = 0; !isOver; count++) {
        const marks = [0, 1, 2].map((one) => `${round}-${number}-${count}-${one}`);
        const events = marks.map((mark, one) => ({
          eventName: `storm.${one}`,
          eventType: 'storm',
          metadata: { mark },
          timestamp: new Date(Date.now() - one * 86_400_000).toISOString(),
        }));
        try {
          const { status } = await client.call(trackEvents, { body: { events } });
          if (status === 202) promised.push(...marks);
        } catch {
          isOver = true; // the connection broke
        }
      }
    };
    const killing = until(() => promised.length > 20 * round, 'the storm').then(() =>
      platform.process.kill('SIGKILL'),
    );
    await Promise.all(Array.from({ length: 8 }, (_, number) => lane(number)));
    await killing;
    await until(
      async () =>
        (await database.count(
          `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'platform-api'
             and pid <> pg_backend_pid() and state <> 'idle'`,
        )) === 0,
      'the end of what was under way',
    );
    const kept = await database.all<{ mark: string }>(
      `select metadata ->> 'mark' as mark from analytics.event where metadata ? 'mark'`,
    );
    const marks = new Set(kept.map(({ mark }) => mark));
    assert.deepEqual(
      promised.filter((mark) => !marks.has(mark)),
      [],
    );
    assert.equal(marks.size, kept.length, 'none twice');
    assert.deepEqual(await faults(), []);
  }
});
