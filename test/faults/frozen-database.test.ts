import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newDatabase } from '../support/databases.ts';
import { freezableDatabase } from '../support/freezable-database.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';

/** Shorter than Prometheus and balancers wait. */
const SCRAPE_MS = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'platform-frozen-'));
const { url, drop } = await newDatabase();
const database = await freezableDatabase(url);
after(async () => {
  database.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

test('a database that hangs shows in readiness and metrics at once, and is used again when it answers', async (t) => {
  const program = await startProgram(['src/main.js', 'start'], {
    ...PRODUCTION,
    DRAIN_SECONDS: '0',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
  });
  t.after(() => program.end('SIGKILL'));
  const ask = (path: string) =>
    fetch(`${program.readyValues.url}${path}`, { signal: AbortSignal.timeout(SCRAPE_MS) });
  const isUp = async () => /^db_up (\S+)$/m.exec(await (await ask('/metrics')).text())?.[1];
  assert.deepEqual([(await ask('/health/ready')).status, await isUp()], [200, '1']);
  database.freeze();
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [503, 'unavailable']);
  assert.equal(await isUp(), '0');
  assert.equal((await ask('/health/live')).status, 200);
  database.thaw();
  await until(async () => (await ask('/health/ready')).status === 200, 'the recovery');
  assert.equal(await isUp(), '1');
});
