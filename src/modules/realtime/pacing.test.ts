import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Loose } from '../../../test/support/client.ts';
import { systemClock } from '../../kernel/time/time.ts';
import type { Due } from './connection.ts';
import { holding } from './numbering.ts';
import { pacing } from './pacing.ts';

/** A subscription that has missed some messages, on a socket that takes nothing until it is told to. */
function subscribed(missed: number[]) {
  const told: number[] = [];
  let dropped = 0;
  const socket = Object.assign(new EventEmitter(), { writableNeedDrain: false, writableLength: 0 });
  const connection: Loose = { isOpen: true, socket };
  const outbox: Loose = {
    put: (_: Loose, frame: Loose) => {
      told.push(frame.seq);
      socket.writableNeedDrain = true;
    },
    drain: () => undefined,
    drop: () => dropped++,
  };
  const pace = pacing({ outbox, onUnreadable: () => assert.fail(), clock: systemClock });
  const { pause, release } = holding(pace.send);
  const channel: Loose = { subscriptions: [] };
  const subscription: Loose = { connection, channel, place: 0, pauses: 0, sentUpTo: 0, queuedBytes: 0 };
  channel.subscriptions.push(subscription);
  const messageOf = (seq: number, length = 50_000) => ({ seq, frame: { seq, length } });
  const dueOf = (seqs: number[], size: number): Due => ({
    messages: seqs.slice(0, size).map((seq) => messageOf(seq)) as never,
    next: seqs.length > size ? async () => dueOf(seqs.slice(size), size) : undefined,
  });
  pause(subscription as never);
  return {
    told,
    drops: () => dropped,
    release: (size: number) => release(subscription as never, dueOf(missed, size), missed.at(-1) ?? 0),
    /** As the numbering delivers a message. */
    deliver(seq: number, length?: number): void {
      const message = messageOf(seq, length);
      if (subscription.queued) pace.keep(subscription as never, message as never);
      else if (seq > subscription.sentUpTo) outbox.put(connection, message.frame);
    },
    review: (isHeld: boolean) => (isHeld ? pause : release)(subscription as never),
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
    const { told, release, deliver, review, take, isLive } = subscribed(missed);
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
      told,
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
