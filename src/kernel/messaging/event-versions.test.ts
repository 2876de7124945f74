// Events that an earlier or a later version of the program published.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TObject, Type } from 'typebox';
import { startJobQueue } from '../../../test/support/job-queue.ts';
import { until } from '../../../test/support/live.ts';
import { subscriptionJobs } from './event-deliveries.ts';
import { type EventKind, eventKind, on, onExternal, type Subscription } from './events.ts';

const { database, jobs, newBackbone } = await startJobQueue();

const kindOf = (name: string, version: 1 | 2 | 3): EventKind<object> => {
  const shapes: Record<number, TObject> = {
    1: Type.Object({ name: Type.String() }),
    2: Type.Object({ called: Type.String() }),
    3: Type.Object({ names: Type.Array(Type.String()) }),
  };
  const upgrades = {
    1: ({ name }: { name: string }) => ({ called: name }),
    2: ({ called }: { called: string }) => ({ names: [called] }),
  };
  return eventKind(name, { version, data: shapes[version] as TObject, upgrades });
};

/** A program with these subscriptions whose relay runs only on request. */
function program(subscriptions: Subscription[]) {
  const backbone = newBackbone();
  backbone.subscribe(subscriptions);
  const kinds = subscriptionJobs(subscriptions);
  return {
    publish: (kind: EventKind<object>, ...data: object[]) =>
      database.transaction((tx) => backbone.events.publish(tx, kind, ...data)),
    /** Relays the events in the outbox to the queues. */
    async relay(): Promise<void> {
      await jobs.prepare(kinds);
      backbone.start();
      await until(async () => (await backbone.lag()).rows === 0, 'the relay');
      await backbone.stop();
    },
    async work(): Promise<void> {
      await jobs.prepare(kinds);
      await jobs.work(kinds);
    },
  };
}

test('an event that waits in the queue of a subscriber reaches it in the shape of today', async () => {
  const received: unknown[] = [];
  const receive = async ({ version, data }: { version: number; data: object }) =>
    void received.push([version, data]);
  const [before, now] = [kindOf('test.queued', 1), kindOf('test.queued', 3)];
  const subscribed = (kind: EventKind<object>) => [
    on(kind, 'inside', receive),
    onExternal(kind, 'outside', receive),
  ];
  const former = program(subscribed(before));
  await former.publish(before, { name: 'ada' }, { name: 'ben' });
  await former.relay();
  await program(subscribed(now)).work();
  await until(async () => received.length === 4, 'all deliveries');
  const expected = ['ada', 'ben'].map((name) => JSON.stringify([3, { names: [name] }]));
  assert.deepEqual(
    received.map((one) => JSON.stringify(one)).toSorted(),
    [...expected, ...expected].toSorted(),
  );
});

test('an event that waits in the outbox is upgraded, beside one of today', async () => {
  const received: unknown[] = [];
  const [before, now] = [kindOf('test.outboxed', 2), kindOf('test.outboxed', 3)];
  await program([on(before, 'inside', async () => undefined)]).publish(before, { called: 'ada' });
  const today = program([on(now, 'inside', async ({ data }) => void received.push(data))]);
  await today.publish(now, { names: ['ben'] });
  await today.relay();
  await today.work();
  await until(async () => received.length === 2, 'both events');
  assert.deepEqual(received.map((data) => JSON.stringify(data)).toSorted(), [
    '{"names":["ada"]}',
    '{"names":["ben"]}',
  ]);
});

test('an event of a later version waits for a program that knows it, and spends no attempt', async () => {
  const received: unknown[] = [];
  const [known, later] = [kindOf('test.newer', 1), kindOf('test.newer', 2)];
  const older = program([on(known, 'inside', async ({ data }) => void received.push(data))]);
  await program([on(later, 'inside', async () => undefined)]).publish(later, { called: 'ada' });
  await older.relay();
  await older.work();
  const waiting = () =>
    database.all(
      `select data ->> '$version' as version, retry_count::integer as retries from jobs.job
       where name = 'on.test.newer.inside' and state = 'created' and start_after > now()`,
    );
  await until(async () => (await waiting()).length === 1, 'the delivery to be handed back');
  assert.deepEqual(await waiting(), [{ version: '2', retries: 0 }]);
  assert.deepEqual(received, []);
});

test('an event of today that a program without versions has relayed is left as it is', async () => {
  const received: unknown[] = [];
  const now = kindOf('test.relayed', 2);
  const today = program([on(now, 'inside', async ({ data }) => void received.push(data))]);
  await today.publish(now, { called: 'ada' });
  await today.relay();
  // Such a program relays every event in a job of version 1.
  await database.execute(
    `update jobs.job set data = data || '{"$version": 1}' where name = 'on.test.relayed.inside'`,
  );
  await today.work();
  await until(async () => received.length === 1, 'the event');
  assert.deepEqual(received, [{ called: 'ada' }]);
});

test('a kind of event without an upgrade of an earlier version is refused', () => {
  assert.throws(() => eventKind('test.gap', { version: 2, data: Type.Object({}) }), /version 1/);
});
