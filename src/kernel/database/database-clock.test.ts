import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { startProgram } from '../../../test/support/programs.ts';
import { HOUR_MS, MINUTE_MS, manualClock } from '../time/time.ts';
import { databaseClock } from './database-clock.ts';

const { database, url } = await ownDatabase(1);

/** The database runs on this machine. */
const isNow = (ms: number): boolean => Math.abs(ms - Date.now()) < 5 * MINUTE_MS;

test('the clock follows the time of the database, however wrong the system clock is', async () => {
  const differences: number[] = [];
  const own = manualClock(Date.now() + HOUR_MS);
  const clock = await databaseClock(database, (offsetMs) => differences.push(offsetMs), own);
  after(() => clock.stop());
  assert.ok(isNow(clock.now()) && isNow(clock.date().getTime()));
  assert.equal(differences.length, 1);

  own.set(Date.now() - HOUR_MS);
  await clock.compare();
  assert.ok(isNow(clock.now()));
  assert.equal(differences.length, 2);

  own.advance(200);
  await clock.compare();
  assert.equal(differences.length, 2, 'small differences are not followed');
});

test('an accurate clock is not corrected, and an unreachable database does not change it', async () => {
  const differences: number[] = [];
  const clock = await databaseClock(database, (offsetMs) => differences.push(offsetMs));
  after(() => clock.stop());
  assert.deepEqual([clock.offsetMs(), differences], [0, []]);

  let isReachable = true;
  const flaky = {
    first: <Row extends object>(...query: Parameters<typeof database.first<Row>>) =>
      isReachable ? database.first<Row>(...query) : Promise.reject(new Error('away')),
  };
  const own = manualClock(Date.now() + HOUR_MS);
  const followed = await databaseClock(flaky, () => undefined, own);
  after(() => followed.stop());
  const before = followed.offsetMs();
  isReachable = false;
  own.advance(HOUR_MS);
  await followed.compare();
  assert.equal(followed.offsetMs(), before);
});

test('a slow measurement corrects the clock only by the error that it proves', async () => {
  const own = manualClock(Date.now());
  const startMs = own.now();
  const slow = {
    // The database reads its clock at once, and the answer waits for ten seconds.
    first: async <Row extends object>() => {
      own.advance(10_000);
      return { ms: startMs } as unknown as Row;
    },
  };
  const clock = await databaseClock(slow, () => undefined, own);
  after(() => clock.stop());
  assert.equal(clock.offsetMs(), 0);
});

test('a process whose clock is an hour ahead has the time of the database, from which the sandbox moves it on', async () => {
  const ahead = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${HOUR_MS}`;
  const server = await startProgram(['--import', ahead, 'src/main.js', 'start'], {
    DATABASE_URL: url,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'platform-clock-')),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  after(() => server.end('SIGKILL'));
  const timeOf = async () => {
    const response = await fetch(`${server.readyValues.url}/v1/nothing`);
    return Date.parse(((await response.json()) as { meta: { timestamp: string } }).meta.timestamp);
  };
  assert.ok(isNow(await timeOf()));
  const moved = await fetch(`${server.readyValues.sandbox}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: '2 hours' }),
  });
  assert.equal(moved.status, 200);
  assert.ok(isNow((await timeOf()) - 2 * HOUR_MS));
  assert.equal(await server.end('SIGTERM'), 0);
});
