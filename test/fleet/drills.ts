// What an operator does by hand: a restore, and mistakes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { noDebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';
import { enterRoom, signUpPeople } from './crowd.ts';
import { API_KEY } from './fleet.ts';
import { type Cost, startLoad } from './load.ts';

const START = ['src/main.js', 'start'];

type Settings = Record<string, string>;

/** Wrong settings, and the sentence that each ends the start with. */
const WRONG: [what: string, wrong: Settings, sentence: RegExp][] = [
  [
    'a mistyped SECRET_KEY',
    { SECRET_KEY: 'another secret key of the tests, long enough' },
    /^SECRET_KEY .*\.$/m,
  ],
  [
    'a database that is not there',
    { DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/c' },
    /^Cannot connect: .* Check DATABASE_URL and REDIS_URL\.$/m,
  ],
  ['a pooler that is not told of', { DATABASE_POOLER: 'none' }, /Set DATABASE_POOLER/],
  ['a pooler without a direct way', { DATABASE_DIRECT_URL: '' }, /DATABASE_DIRECT_URL is needed with/],
  ['a single Redis as a cluster', { REDIS_URL: 'redis+cluster:' }, /is not a node of a cluster/],
  ['no address', { PUBLIC_URL: '' }, /PUBLIC_URL is needed in production/],
  ['no word on proxies', { TRUSTED_PROXIES: '' }, /TRUSTED_PROXIES is needed in production/],
  ['a port that does not exist', { PORT: '70000' }, /PORT must be a whole number/],
  [
    'a queue that does not exist',
    { ROLE: 'worker', WORKER_QUEUES: 'media.proces-video' },
    /WORKER_QUEUES names media\.proces-video/,
  ],
];

/** Each wrong setting ends the process with a sentence, and not with a stack. */
export function drillSettings(environment: () => Settings | undefined, skip: string | false): void {
  for (const [what, wrong, sentence] of WRONG)
    test(`${what} ends the start with a sentence`, { skip, timeout: 120_000 }, async () => {
      const right = environment() as Settings;
      const settings: Settings = { ...right, ROLE: 'api', ...wrong };
      if (wrong.REDIS_URL)
        settings.REDIS_URL = (right.REDIS_URL as string).replace('redis:', 'redis+cluster:');
      const { code, complaints } = await runProgram(START, settings);
      assert.equal(code, 1, complaints);
      assert.match(complaints, sentence);
      assert.doesNotMatch(complaints, /\n +at /);
    });
}

/** A backup under load that can be restored; tells what it cost. */
export function drillBackup(record: (cost: Cost) => void): void {
  test('a backup is taken under load without a failed request, and can be restored', {
    skip: noDebianPostgres,
    timeout: 300_000,
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-drill-'));
    const server = await startDebianPostgres();
    const environment = { ...PRODUCTION, API_KEY, DATABASE_URL: server.url, DATA_DIR: join(folder, 'data') };
    const program = await startProgram(START, environment);
    const database = openDatabase({ url: server.url, connections: 2, onBackgroundError: () => undefined });
    t.after(async () => {
      await program.end('SIGKILL');
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const url = program.readyValues.url as string;
    const crowd = await enterRoom(url, await signUpPeople(url, 2, 10), 10);
    const load = await startLoad(crowd, database);
    const taken = await runProgram(['src/main.js', 'backup', '--to', join(folder, 'backups')], environment);
    assert.equal(taken.code, 0, taken.complaints);
    const file = taken.output.split('\n')[0] as string;
    const checked = await runProgram(['src/main.js', 'restore-check', '--file', file], environment);
    assert.match(checked.output, /THE BACKUP OF .* CAN BE RESTORED/);
    assert.equal(checked.code, 0, checked.complaints);
    const { requests, failed } = load.sofar();
    const cost = { requests, failed, ...(await load.end()) };
    record(cost);
    assert.deepEqual(cost, { requests, failed: 0, lost: 0, repeated: 0, missed: 0 });
    crowd.leave();
  });
}
