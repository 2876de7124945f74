import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveChannel } from '../../kernel/live/live.ts';
import { sweeping } from './sweeping.ts';

test('checks that are asked for during a check are one', async () => {
  let reads = 0;
  const deps = {
    connections: new Set(),
    channels: {
      byName: new Map([['room', { name: `${liveChannel.room('')}1`, subscriptions: [] }]]),
      learn: () => undefined,
    },
    chat: {
      seqs: async () => {
        reads++;
        return new Map();
      },
    },
    judge: {
      checkKeys: async () => undefined,
      checkSessions: async () => undefined,
      checkReaders: async () => undefined,
    },
  };
  const sweep = sweeping(deps as unknown as Parameters<typeof sweeping>[0]);
  const first = sweep.check();
  await Promise.resolve();
  await Promise.all([first, ...Array.from({ length: 20 }, () => sweep.check())]);
  assert.ok(reads <= 2, `${reads} reads`);
  await sweep.check();
  assert.ok(reads >= 2, 'a later one is another');
  sweep.stop();
});
