import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { until } from '../../../test/support/live.ts';
import { inProcessBus } from '../../kernel/distributed/in-process.ts';
import { liveMessage, livePublisher, textOf } from '../../kernel/live/live.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { channels } from './channels.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';
import { replays } from './replays.ts';

test('messages lost by the bus are replayed in portions, each after the previous one was read', async () => {
  const frames: Buffer[] = [];
  const outbox = { put: (_connection: Connection, frame: Buffer) => void frames.push(frame) };
  const pace = replays({ outbox: outbox as never, onUnreadable: () => assert.fail(), clock: systemClock });
  const bus = inProcessBus();
  const all = channels({ bus, outbox: outbox as never, pace, isRewrite: () => false, onError: assert.fail });
  const socket = { writableLength: 0, writableNeedDrain: true };
  const said = liveMessage('chat:message', Type.Object({ number: Type.Integer() }), {
    summary: 'A test says something.',
    audience: 'room',
    numbered: 'message',
  });
  const event = (seq: number) => said({ number: seq }, seq);
  let hasRead = false;
  const next = async () => {
    hasRead = true;
    return { messages: [event(3), event(4)], next: undefined };
  };
  const missed = { messages: [event(1), event(2)], next, count: 4, seq: 4, gap: undefined };
  const connection = { isOpen: true, subscriptions: new Map(), socket };
  const opening = { findMissed: async () => missed };
  const { channel } = await all.join(connection as never, 'live:room:x', opening);
  all.learn(channel, 0);
  // The event is announced, and the ones before it never came.
  await livePublisher(bus).send('live:room:x', [event(5)]);
  await until(() => frames.length === 2, 'the first portion');
  assert.equal(hasRead, false);
  socket.writableNeedDrain = false;
  await until(() => frames.length === 5, 'the others');
  assert.deepEqual(
    frames,
    [1, 2, 3, 4, 5].map((seq) => frameOf(textOf(event(seq)))),
  );
});

test('a replayed message is not repeated when the bus delivers it later', async () => {
  const bus = inProcessBus();
  const frames: Buffer[] = [];
  const outbox = { put: (_connection: Connection, frame: Buffer) => void frames.push(frame) };
  const pace = replays({ outbox: outbox as never, onUnreadable: () => assert.fail(), clock: systemClock });
  const all = channels({
    bus,
    outbox: outbox as never,
    pace,
    isRewrite: () => false,
    onError: (error) => assert.fail(error),
  });
  const connection = { isOpen: true, subscriptions: new Map(), socket: { writableLength: 0 } };
  const said = liveMessage('chat:message', Type.Object({ number: Type.Integer() }), {
    summary: 'A test says something.',
    audience: 'room',
    numbered: 'message',
  });
  const event = (seq: number) => said({ number: seq }, seq);
  const frame = (seq: number) => frameOf(textOf(event(seq)));

  const opening = {
    findMissed: async () => ({ messages: [], next: undefined, count: 0, seq: 0, gap: undefined }),
  };
  const subscription = await all.join(connection as never, 'live:room:x', opening, true);
  // The second event was committed between the query for the room's newest event number and the query for its events.
  all.learn(subscription.channel, 1);
  const missed = [1, 2].map((seq) => ({ seq, frame: frame(seq), isRewrite: false }));
  all.release(subscription, { messages: missed, next: undefined }, 2);
  await livePublisher(bus).send('live:room:x', [event(2), event(3)]);
  await until(() => frames.at(-1)?.equals(frame(3)) === true, 'the third');
  assert.deepEqual(frames, [frame(1), frame(2), frame(3)]);
});
