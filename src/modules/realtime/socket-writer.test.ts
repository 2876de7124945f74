import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { socketWriter } from './socket-writer.ts';

const FRAMES = ['a', 'b', 'c'].map((text) => Buffer.from(text));

/** A connection that records what is written to it. */
function recording({ isOpen = true, unsent = 0 } = {}) {
  const written: string[] = [];
  const socket = { writableLength: unsent, write: (bytes: Buffer) => written.push(bytes.toString()) };
  return { connection: { isOpen, socket } as unknown as Connection, written };
}

test('each of more connections than are looked at together gets its frames once, in one write', async () => {
  const { put, counts } = socketWriter({ onSlow: () => assert.fail('none is slow') });
  const all = Array.from({ length: 1_035 }, () => recording());
  for (const frame of FRAMES) for (const { connection } of all) put(connection, frame);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  for (const { written } of all) assert.deepEqual(written, ['abc']);
  assert.deepEqual(counts, { frames: 3 * all.length, writes: all.length, slow: 0 });
});

test('closed, slow and already written connections among others are left out', async () => {
  const slow: Connection[] = [];
  const { put, drain, counts } = socketWriter({ onSlow: (connection) => void slow.push(connection) });
  const closed = recording({ isOpen: false });
  const behind = recording({ unsent: 9 * 1024 * 1024 });
  const drained = recording();
  const others = Array.from({ length: 20 }, () => recording());
  for (const { connection } of [closed, behind, drained, ...others]) put(connection, FRAMES[0] as Buffer);
  drain(drained.connection);
  assert.deepEqual(drained.written, ['a']);
  await nextTurn();
  assert.deepEqual([closed.written, behind.written, drained.written], [[], [], ['a']]);
  for (const { written } of others) assert.deepEqual(written, ['a']);
  assert.deepEqual(slow, [behind.connection]);
  assert.deepEqual(counts, { frames: 21, writes: 21, slow: 1 });
});
