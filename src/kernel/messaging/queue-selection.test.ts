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
  const names = (pattern: string) =>
    selectQueues(jobs, [pattern], { absent: others }).map(({ kind }) => kind.name);
  assert.equal(names('!videos.process').length, 4);
  assert.deepEqual(names('videos.*'), []);
});

test('a pattern that fits no queue is refused', () => {
  assert.throws(
    () => taken('media.*', '!wallet.verfiy'),
    /WORKER_QUEUES names !wallet\.verfiy, which fits no/,
  );
});

test('a pattern that fits only queues of former releases is told and accepted; a renamed queue may be named as before', () => {
  const former = [{ name: 'old.removed' }, { name: 'old.check', renamedTo: 'wallet.verify' }];
  const told: string[] = [];
  const names = (...patterns: string[]) =>
    selectQueues(jobs, patterns, { former, warn: (sentence) => told.push(sentence) }).map(
      ({ kind }) => kind.name,
    );
  assert.deepEqual(names('old.removed'), []);
  assert.equal(names('!old.removed').length, 4);
  assert.deepEqual(names('old.removed', 'media.sweep'), ['media.sweep']);
  assert.deepEqual(told, [
    'WORKER_QUEUES names old.removed, which fits only queues of former releases: old.removed was removed.',
    'WORKER_QUEUES names !old.removed, which fits only queues of former releases: old.removed was removed.',
    told[0],
  ]);
  assert.deepEqual(names('old.*'), ['wallet.verify']);
  assert.match(told.at(-1) ?? '', /old\.removed was removed, old\.check is wallet\.verify now/);
  assert.deepEqual(names('!old.check'), ['media.process-video', 'media.sweep', 'on.wallet.gift']);
  assert.throws(() => names('old.chekc'), /fits no queue/);
});
