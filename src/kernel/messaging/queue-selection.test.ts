import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobKind } from './jobs.ts';
import { selectQueues } from './queue-selection.ts';

const jobs = ['media.process-video', 'media.sweep', 'wallet.verify', 'on.wallet.gift'].map((name) => ({
  kind: jobKind(name),
}));
const taken = (...patterns: string[]) => selectQueues(jobs, patterns).map(({ kind }) => kind.name);

test('a worker takes the queues that its patterns name, and all without patterns', () => {
  assert.equal(taken().length, 4);
  assert.deepEqual(taken('media.*'), ['media.process-video', 'media.sweep']);
  assert.deepEqual(taken('wallet.verify', 'on.*'), ['wallet.verify', 'on.wallet.gift']);
  assert.deepEqual(taken('!media.process-video'), ['media.sweep', 'wallet.verify', 'on.wallet.gift']);
  assert.deepEqual(taken('media.*', '!media.sweep'), ['media.process-video']);
});

test('a pattern may name a queue that this configuration does not have', () => {
  const others = [jobKind('videos.process')];
  const names = (pattern: string) => selectQueues(jobs, [pattern], others).map(({ kind }) => kind.name);
  assert.equal(names('!videos.process').length, 4);
  assert.deepEqual(names('videos.*'), []);
});

test('a pattern that fits no queue is refused', () => {
  assert.throws(
    () => taken('media.*', '!wallet.verfiy'),
    /WORKER_QUEUES names !wallet\.verfiy, which fits no/,
  );
});
