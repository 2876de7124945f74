import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/live.ts';
import { inProcessBus } from '../../kernel/distributed/in-process.ts';
import { systemClock } from '../../kernel/time/time.ts';
import type { Missed } from '../chat/contract.ts';
import { channels } from './channels.ts';
import type { Subscription } from './connection.ts';
import { replays } from './replays.ts';
import { roomCommands } from './rooms.commands.ts';
import { socketWriter } from './socket-writer.ts';

// Subscriptions with `after` by connections that close before their replay begins.

const NOTHING: Missed = { messages: [], next: undefined, count: 0, seq: 5, gap: undefined };

/** The command to subscribe to rooms, on a store whose reads of missed messages wait until the test releases them. */
function subscribing() {
  const reads: (() => void)[] = [];
  const outbox = socketWriter({ onSlow: () => undefined });
  const pace = replays({ outbox, onUnreadable: () => assert.fail(), clock: systemClock });
  const all = channels({ bus: inProcessBus(), outbox, pace, isRewrite: () => false, onError: assert.fail });
  const commands = roomCommands({
    chat: {
      enter: async () => ({ seq: 5, memberCount: 1 }),
      missed: () => new Promise((resolve) => reads.push(() => resolve(NOTHING))),
    },
    verifier: { callerOf: async (connection) => connection.caller as never },
    presence: {
      enter: async () => undefined,
      leave: () => undefined,
      shownTo: async () => ({ active: 1, online: undefined }),
    } as never,
    channels: all,
    judge: {} as never,
    put: outbox.put,
  });
  const subscribe = commands.find(({ type }) => type === 'subscribe') ?? assert.fail();
  const connect = (userId: string) => ({
    isOpen: true,
    isOn: () => false,
    caller: { userId },
    subscriptions: new Map<string, Subscription>(),
    socket: { writableLength: 0 },
  });
  const close = (connection: ReturnType<typeof connect>) => {
    connection.isOpen = false;
    for (const subscription of [...connection.subscriptions.values()]) all.leave(subscription);
  };
  const ask = async (connection: ReturnType<typeof connect>, room: string) => {
    const request = { fields: { chatroomId: room, after: 1 }, connection };
    return (await subscribe.handle(request as never)) as
      | { message: { data: { replayed: number } } }
      | undefined;
  };
  return { reads, connect, close, ask };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a closed connection is not subscribed and causes no query', async () => {
  const { reads, connect, close, ask } = subscribing();
  const connection = connect('ada');
  close(connection);
  assert.equal(await ask(connection, 'room'), undefined);
  assert.equal(connection.subscriptions.size, 0);
  assert.equal(reads.length, 0);
});

test('a connection that closes while waiting causes no query', async () => {
  const { reads, connect, close, ask } = subscribing();
  const connections = Array.from({ length: 10 }, () => connect('ada'));
  const answers = connections.map((connection) => ask(connection, 'room'));
  await until(() => reads.length > 0, 'the first reads');
  await turns();
  assert.equal(reads.length, 2, 'two at once for one member');
  const [first, second, third, ...others] = connections;
  for (const connection of others) close(connection);
  for (const letGo of reads.splice(0)) letGo();
  await until(() => reads.length === 1, 'the read for the third connection');
  for (const letGo of reads.splice(0)) letGo();
  const [one, two, three, ...rest] = await Promise.all(answers);
  for (const answer of [one, two, three]) assert.equal(answer?.message.data.replayed, 0);
  assert.deepEqual([...new Set(rest)], [undefined]);
  assert.equal(reads.length, 0);
  for (const connection of [first, second, third]) assert.equal(connection?.subscriptions.size, 1);
});

test('replays of one member do not delay those of another', async () => {
  const { reads, connect, ask } = subscribing();
  const answers = Array.from({ length: 10 }, () => ask(connect('ada'), 'room'));
  await until(() => reads.length === 2, 'the reads of the first');
  answers.push(ask(connect('ben'), 'room'));
  await until(() => reads.length === 3, 'the read of the second');
  while (reads.length > 0) {
    for (const letGo of reads.splice(0)) letGo();
    await turns();
  }
  assert.equal((await Promise.all(answers)).length, 11);
});
