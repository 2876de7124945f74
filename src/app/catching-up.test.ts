import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownDatabase } from '../../test/support/own-database.ts';
import { catchingUp } from './catching-up.ts';

const { database } = await ownDatabase();

test('catching up also waits for work that turns from an event into a job meanwhile', async () => {
  await database.execute('create table public.event (name text)');
  await database.execute('create table public.running (name text)');
  await database.execute(`insert into public.event values ('notify')`);
  let isRead = false;
  /** The steps of the relay and of a worker, each taken after the job queue was read. */
  const steps = [
    'with relayed as (delete from public.event returning name) insert into public.running select name from relayed',
    'delete from public.running',
  ];
  const catchUp = catchingUp({
    database,
    jobs: [],
    // Made slower than the reading of the queue, to show that both are not read at different times.
    backbone: {
      lag: async (queries) => {
        for (let tries = 0; tries < 20 && !isRead; tries++) await sleep(10);
        return { rows: await queries.count('select count(*) from public.event') };
      },
    },
    queue: {
      bringForward: async () => undefined,
      startNow: async () => undefined,
      unfinished: async (queries = database) => {
        const found = await queries.all<{ name: string }>('select name from public.running');
        const step = steps.shift();
        if (step) await database.execute(step);
        isRead = true;
        return found.map(({ name }) => name);
      },
    },
  });
  const { unfinished } = await catchUp(new Date(0), new Date(1));
  assert.deepEqual(unfinished, []);
  assert.equal(await database.count('select count(*) from public.running'), 0, 'the job has ended');
});

test('catching up waits for a database that is away for a moment', async () => {
  const lost = new Error('Connection terminated unexpectedly');
  const attempts: string[] = [];
  /** Does the work at the second attempt. */
  const atSecond = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    attempts.push(name);
    return attempts.filter((one) => one === name).length === 1 ? Promise.reject(lost) : work();
  };
  const catchUp = catchingUp({
    database: {
      transaction: (work) => atSecond('start', () => database.transaction(work)),
      snapshot: (work) => atSecond('look', () => database.snapshot(work)),
    },
    jobs: [],
    backbone: { lag: async () => ({ rows: 0 }) },
    queue: {
      bringForward: () => atSecond('bring forward', async () => undefined),
      startNow: async () => undefined,
      unfinished: async () => [],
    },
  });
  assert.deepEqual(await catchUp(new Date(0), new Date(1)), { started: [], unfinished: [] });
  assert.deepEqual(attempts, ['bring forward', 'bring forward', 'start', 'start', 'look', 'look']);
});

test('after the time limit the busy queues are named, and events that have not reached theirs', async () => {
  const waiting = { events: 1, queues: ['mail.send'] };
  const catchUp = catchingUp({
    database,
    jobs: [],
    backbone: { lag: async () => ({ rows: waiting.events }) },
    queue: {
      bringForward: async () => undefined,
      startNow: async () => undefined,
      unfinished: async () => waiting.queues,
    },
  });
  const unfinished = async () => (await catchUp(new Date(0), new Date(1), 0)).unfinished;
  assert.deepEqual(await unfinished(), ['events', 'mail.send']);
  waiting.queues = [];
  assert.deepEqual(await unfinished(), ['events']);
  waiting.events = 0;
  assert.deepEqual(await unfinished(), []);
});
