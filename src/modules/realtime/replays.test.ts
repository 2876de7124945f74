import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../kernel/time/time.ts';
import type { Channel, Connection, Due, Numbered, Subscription } from './connection.ts';
import { holding } from './numbering.ts';
import { replays } from './replays.ts';
import type { SocketWriter } from './socket-writer.ts';

/** A subscription that has missed some messages, on a socket that accepts no data until the test permits it. */
function subscribed(missed: number[]) {
  const delivered: number[] = [];
  let dropped = 0;
  const socket = Object.assign(new EventEmitter(), { writableNeedDrain: false, writableLength: 0 });
  const connection = { isOpen: true, socket } as object as Connection;
  const outbox = {
    put: (_, frame) => {
      delivered.push(frame.readUInt32BE());
      socket.writableNeedDrain = true;
    },
    drain: () => undefined,
    drop: () => {
      dropped++;
    },
  } satisfies Partial<SocketWriter> as Partial<SocketWriter> as SocketWriter;
  const pace = replays({ outbox, onUnreadable: () => assert.fail(), clock: systemClock });
  const { pause, release } = holding(pace.send);
  const subscription: Subscription = {
    connection,
    channel: { subscriptions: [] as Subscription[] } as Channel,
    place: 0,
    pauses: 0,
    queued: undefined,
    queuedBytes: 0,
    due: undefined,
    sentUpTo: 0,
    isAdmitted: true,
    onLeave: undefined,
  };
  subscription.channel.subscriptions.push(subscription);
  /** A message whose frame begins with its number. */
  function messageOf(seq: number, length = 50_000): Numbered {
    const frame = Buffer.allocUnsafe(length);
    frame.writeUInt32BE(seq);
    return { seq, frame, isRewrite: false };
  }
  const dueOf = (seqs: number[], size: number): Due => ({
    messages: seqs.slice(0, size).map((seq) => messageOf(seq)),
    next: seqs.length > size ? async () => dueOf(seqs.slice(size), size) : undefined,
  });
  pause(subscription);
  return {
    told: delivered,
    drops: () => dropped,
    release: (size: number) => release(subscription, dueOf(missed, size), missed.at(-1) ?? 0),
    /** Delivers a message as the numbering does. */
    deliver(seq: number, length?: number): void {
      const message = messageOf(seq, length);
      if (subscription.queued) pace.keep(subscription, message);
      else if (seq > subscription.sentUpTo) outbox.put(connection, message.frame);
    },
    review: (isHeld: boolean) => (isHeld ? pause : release)(subscription),
    async take(): Promise<void> {
      socket.writableNeedDrain = false;
      socket.emit('drain');
      for (let turn = 0; turn < 8; turn++) await undefined;
    },
    isLive: () => subscription.queued === undefined,
  };
}

test('every message is sent once and in order, in any interleaving of reads and writes', async () => {
  const step = fc.constantFrom('deliver', 'take', 'hold', 'unhold');
  const property = async (count: number, size: number, steps: string[]) => {
    const missed = Array.from({ length: count }, (_, place) => place + 1);
    const { told: delivered, release, deliver, review, take, isLive } = subscribed(missed);
    let [last, holds] = [count, 0];
    const run = async (what: string): Promise<void> => {
      if (what === 'deliver') deliver(++last);
      else if (what === 'take') await take();
      else if (what === 'hold') review(holds++ >= 0);
      else if (holds > 0) review(holds-- < 0);
    };
    for (const what of steps.slice(0, 5)) await run(what);
    release(size);
    for (const what of steps.slice(5)) await run(what);
    while (holds > 0) await run('unhold');
    for (let turns = 0; !isLive() && turns < 500; turns++) await take();
    deliver(++last);
    assert.deepEqual(
      delivered,
      Array.from({ length: last }, (_, place) => place + 1),
    );
  };
  const cases = fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 6 }), fc.array(step), property);
  await fc.assert(cases, { numRuns: 300 });
});

test('a client that reads missed messages more slowly than new ones arrive is dropped', async () => {
  const { release, deliver, take, drops } = subscribed([1, 2, 3, 4, 5, 6, 7, 8]);
  release(2);
  for (let seq = 9; seq < 100 && drops() === 0; seq++) deliver(seq, 100_000);
  assert.ok(drops() > 0);
  await take();
});
