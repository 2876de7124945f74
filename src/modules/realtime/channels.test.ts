import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { until } from '../../../test/support/live.ts';
import { liveMessage, livePublisher, textOf } from '../../kernel/live.ts';
import { inProcessBus } from '../../kernel/shared/in-process.ts';
import { channels } from './channels.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';

test('an event that was told as missed is not told again when the bus brings it later', async () => {
  const bus = inProcessBus();
  const told: Buffer[] = [];
  const outbox = { put: (_connection: Connection, frame: Buffer) => void told.push(frame) };
  const all = channels({
    bus,
    outbox: outbox as never,
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

  const opening = { findMissed: async () => ({ messages: [], seq: 0, gap: undefined }) };
  const subscription = await all.join(connection as never, 'live:room:x', opening, true);
  // The room was asked how far it is, and read a moment later: the second event was committed in between.
  all.learn(subscription.channel, 1);
  const missed = [1, 2].map((seq) => ({ seq, frame: frame(seq), isRewrite: false }));
  all.release(subscription, missed, 2);
  await livePublisher(bus).tell('live:room:x', [event(2), event(3)]);
  await until(() => told.at(-1)?.equals(frame(3)) === true, 'the third');
  assert.deepEqual(told, [frame(1), frame(2), frame(3)]);
});
