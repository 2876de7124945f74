import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { Transaction } from '../../src/kernel/database/queries.ts';
import { subscriptionJobs } from '../../src/kernel/messaging/event-deliveries.ts';
import { relayJob } from '../../src/kernel/messaging/event-relay.ts';
import {
  type Event,
  eventKind,
  inOrder,
  on,
  onMany,
  type Subscription,
} from '../../src/kernel/messaging/events.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { startJobQueue } from '../support/job-queue.ts';
import { until } from '../support/live.ts';

const { database, jobs, marks, newBackbone } = await startJobQueue();

const attemptsOf = (name: string): Promise<number> =>
  database.count('select count(*) from jobs.job where name = $1', [name]);

/** Starts the relay of events to these subscriptions; its errors fail the test unless they are received. */
async function startBackbone(subscriptions: Subscription[], onError?: (error: Error) => void) {
  const backbone = newBackbone(onError);
  const work = [...subscriptionJobs(subscriptions), relayJob(subscriptions, jobs)];
  await jobs.prepare(work);
  backbone.subscribe(subscriptions);
  await jobs.work(work);
  backbone.start();
  return backbone;
}

test('an event takes effect exactly once in the database, however often its delivery fails', async () => {
  const happened = eventKind('test.happened', {
    version: 1,
    data: Type.Object({ number: Type.Integer() }),
  });
  let attempts = 0;
  const receive = async (event: Event<{ number: number }>, tx: Pick<typeof database, 'execute'>) => {
    await tx.execute('insert into test_mark (what) values ($1)', [`event ${event.data.number}`]);
    if (++attempts === 1) throw new Error('the first delivery fails after it wrote');
  };
  const subscriptions = [on(happened, 'marker', receive)];
  const backbone = await startBackbone(subscriptions);
  const { events } = backbone;
  await database.transaction((tx) => events.publish(tx, happened, { number: 7 }));
  const marked = async () => (await marks()).includes('event 7');
  await until(marked, 'the event');
  assert.deepEqual(
    (await marks()).filter((what) => what === 'event 7'),
    ['event 7'],
  );
  assert.equal(attempts, 2);
  await backbone.stop();
});

test('jobs and events that do not fit their shape are rejected', async () => {
  const kind = jobKind('test.shaped', { version: 1, data: Type.Object({ number: Type.Integer() }) });
  const happened = eventKind('test.shaped', { version: 1, data: Type.Object({ number: Type.Integer() }) });
  await jobs.prepare([job(kind, {})]);
  const { events } = newBackbone();
  for (const data of [{ number: 1.5 }, { number: 1, other: 2 }, {}] as { number: number }[]) {
    await assert.rejects(
      database.transaction((tx) => jobs.enqueue(tx, kind, [data])),
      /a job test.shaped does not fit its shape/,
    );
    await assert.rejects(
      database.transaction((tx) => events.publish(tx, happened, data)),
      /an event test.shaped does not fit its shape/,
    );
  }
  await database.transaction((tx) => jobs.enqueue(tx, kind, [{ number: 1 }]));
  assert.equal(await attemptsOf('test.shaped'), 1);
});

test('an event with a text that PostgreSQL cannot store as JSON holds up no others', async () => {
  const happened = eventKind('test.cut', { version: 1, data: Type.Object({ text: Type.String() }) });
  const subscriptions = [
    on(happened, 'marker', async ({ data }, tx) => {
      await tx.sql('insert into test_mark (what) values ($1)', [`text ${data.text}`]);
    }),
  ];
  const backbone = await startBackbone(subscriptions);
  const data = ['a\ud83d', 'b\0', 'c'].map((text) => ({ text }));
  await database.transaction((tx) => backbone.events.publish(tx, happened, ...data));
  const written = { id: 'f'.repeat(24), name: 'test.cut', version: 1, data: { text: 'd\udc00' } };
  const byEarlierProgram = [{ ...written, occurredAt: new Date().toISOString() }];
  await database.execute('insert into kernel.outbox (event, events) values ($1, $2)', [
    written.name,
    JSON.stringify(byEarlierProgram),
  ]);
  const texts = async () => (await marks()).filter((what) => what.startsWith('text ')).sort();
  await until(async () => (await texts()).length === 4, 'all four');
  assert.deepEqual(await texts(), ['text a\ufffd', 'text b\ufffd', 'text c', 'text d\ufffd']);
  await backbone.stop();
});

test('a failing batch of deliveries is retried one by one, so that one does not block the others', async () => {
  const happened = eventKind('test.parted', { version: 1, data: Type.Object({ number: Type.Integer() }) });
  const batches: number[] = [];
  const subscriptions = [
    onMany(happened, 'marker', async (all, tx) => {
      batches.push(all.length);
      for (const { data } of all) {
        await tx.sql('insert into test_mark (what) values ($1)', [`part ${data.number}`]);
        if (data.number === 2) throw new Error('always');
      }
    }),
  ];
  const backbone = await startBackbone(subscriptions);
  const data = [1, 2, 3].map((number) => ({ number }));
  await database.transaction((tx) => backbone.events.publish(tx, happened, ...data));
  const parts = async () => (await marks()).filter((what) => what.startsWith('part '));
  await until(async () => (await parts()).length === 2, 'the others');
  assert.deepEqual((await parts()).sort(), ['part 1', 'part 3']);
  assert.equal(batches[0], 3);
  await backbone.stop();
});

const Numbered = Type.Object({ number: Type.Integer() });

/** Starts a relay whose receiver in order, and another by a queue, note the numbers of events; the first can fail. */
async function startNumbering(name: string, failFor: (number: number) => void) {
  const happened = eventKind(name, { version: 1, data: Numbered });
  const note = async (tx: Pick<typeof database, 'execute'>, how: string, number: number): Promise<void> => {
    await tx.execute('insert into test_mark (what) values ($1)', [`${name} ${how} ${number}`]);
  };
  const errors: string[] = [];
  const backbone = await startBackbone(
    [
      ...inOrder([happened], 'in order', async (events, tx) => {
        for (const { data } of events as Event<{ number: number }>[]) {
          await note(tx, 'ordered', data.number);
          failFor(data.number);
        }
      }),
      on(happened, 'queued', (event, tx) => note(tx, 'queued', event.data.number)),
    ],
    ({ message }) => void errors.push(message),
  );
  const noted = async (how: string): Promise<number[]> =>
    (await marks()).flatMap((what) =>
      what.startsWith(`${name} ${how} `) ? Number(what.split(' ').at(-1)) : [],
    );
  const publishIn = (tx: Transaction, ...numbers: number[]): Promise<void> =>
    backbone.events.publish(tx, happened, ...numbers.map((number) => ({ number })));
  return {
    backbone,
    errors,
    noted,
    publishIn,
    publish: (...numbers: number[]) => database.transaction((tx) => publishIn(tx, ...numbers)),
  };
}

test('an event that cannot be relayed holds up no others, and reaches all its subscribers once it can', async () => {
  let isMended = false;
  const { backbone, publish, noted, errors } = await startNumbering('test.stuck', (number) => {
    if (number === 2 && !isMended) throw new Error('number 2 cannot be relayed');
  });
  await publish(1, 2, 3);
  await publish(4);
  await until(async () => (await noted('queued')).length === 3, 'the others');
  assert.deepEqual((await noted('ordered')).toSorted(), [1, 3, 4]);
  assert.deepEqual((await noted('queued')).toSorted(), [1, 3, 4]);
  assert.ok(errors.includes('number 2 cannot be relayed'), errors.join());
  isMended = true;
  await until(async () => (await noted('queued')).length === 4, 'the one that failed');
  assert.deepEqual((await noted('ordered')).toSorted(), [1, 2, 3, 4]);
  await backbone.stop();
});

test('events stay in their order while the database is unavailable for a moment', async () => {
  let failures = 0;
  const { backbone, publish, noted } = await startNumbering('test.outage', (number) => {
    if (number === 2 && ++failures <= 2)
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  for (const number of [1, 2, 3]) await publish(number);
  await until(async () => (await noted('queued')).length === 3, 'all three');
  assert.deepEqual(await noted('ordered'), [1, 2, 3]);
  assert.equal(failures, 3);
  await backbone.stop();
});

test('events that take too long together are relayed one by one', async () => {
  const happened = eventKind('test.slow', { version: 1, data: Numbered });
  const backbone = await startBackbone(
    inOrder([happened], 'in order', async (events, tx) => {
      if (events.length > 1)
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
      for (const { data } of events as Event<{ number: number }>[])
        await tx.execute('insert into test_mark (what) values ($1)', [`slow ${data.number}`]);
    }),
  );
  await database.transaction(async (tx) => {
    for (const number of [1, 2, 3]) await backbone.events.publish(tx, happened, { number });
  });
  const slow = async () => (await marks()).filter((what) => what.startsWith('slow '));
  await until(async () => (await slow()).length === 3, 'all three');
  assert.deepEqual(await slow(), ['slow 1', 'slow 2', 'slow 3']);
  await backbone.stop();
});

test('a process that stops while it relays events one by one ends after the one under way', async () => {
  let stopped: Promise<void> | undefined;
  let attempts = 0;
  const { backbone, publishIn, noted } = await startNumbering('test.stopped', (number) => {
    if (number === 1 && ++attempts === 1) throw new Error('together they cannot be relayed');
    stopped ??= backbone.stop();
  });
  await database.transaction(async (tx) => {
    for (const number of [1, 2, 3]) await publishIn(tx, number);
  });
  await until(async () => stopped !== undefined, 'the stop');
  await stopped;
  assert.deepEqual(await noted('ordered'), [1]);
  assert.equal(await database.count('select count(*) from kernel.outbox'), 2);
});
