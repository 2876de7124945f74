import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedFor } from '../kernel/concurrency/cached-for.ts';
import { platformMetrics } from './metrics.ts';

const COMMON = { scope: 'process', group: 'Processes' } as const;

/** Returns the samples of a metric, by their labels. */
async function samplesOf(metrics: ReturnType<typeof platformMetrics>, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
}

test('counters are exported with their current value on every scrape', async () => {
  const metrics = platformMetrics();
  let grown = 5;
  metrics.add({ ...COMMON, name: 'things_total', help: 'Things', read: () => grown });
  assert.match(await metrics.text(), /^# TYPE things_total counter$/m);
  assert.deepEqual(await samplesOf(metrics, 'things_total'), ['things_total 5']);
  grown = 7;
  const scrapes = await Promise.all(Array.from({ length: 5 }, () => samplesOf(metrics, 'things_total')));
  assert.deepEqual(scrapes, Array(5).fill(['things_total 7']), 'by several at once');
});

test('labels that no longer exist are not exported', async () => {
  const metrics = platformMetrics();
  let queues = ['a', 'b'];
  metrics.add({
    ...COMMON,
    name: 'depth',
    help: 'Depth',
    labels: ['queue'],
    read: () => queues.map((queue, value) => ({ labels: { queue }, value })),
  });
  assert.deepEqual(await samplesOf(metrics, 'depth'), ['depth{queue="a"} 0', 'depth{queue="b"} 1']);
  queues = ['b'];
  assert.deepEqual(await samplesOf(metrics, 'depth'), ['depth{queue="b"} 0']);
});

test('failing and hanging metrics are omitted and counted, and others exported', async () => {
  const metrics = platformMetrics();
  let isAway = true;
  metrics.add({
    ...COMMON,
    name: 'broken',
    help: 'Fails at times',
    read: async () => {
      if (isAway) throw new Error('the database is away');
      return 1;
    },
  });
  metrics.add({
    ...COMMON,
    name: 'hanging',
    help: 'Never comes',
    read: () => new Promise<number>(() => undefined),
  });
  metrics.add({ ...COMMON, name: 'sound', help: 'Is there', read: () => 3 });
  assert.deepEqual(await samplesOf(metrics, 'broken'), []);
  assert.deepEqual(await samplesOf(metrics, 'hanging'), []);
  isAway = false;
  assert.deepEqual(await samplesOf(metrics, 'broken'), ['broken 1']);
  assert.deepEqual(await samplesOf(metrics, 'sound'), ['sound 3']);
  const unread = await samplesOf(metrics, 'metrics_unread_total');
  assert.ok(unread.includes('metrics_unread_total{metric="broken"} 2'), unread.join());
});

test('an expensive metric is read once in its interval, also if it fails', async () => {
  let reads = 0;
  let answer = (_value: number) => {};
  const slow = cachedFor(Number.MAX_SAFE_INTEGER, () => {
    reads++;
    return new Promise<number>((resolve) => {
      answer = resolve;
    });
  });
  const both = Promise.all([slow(), slow()]);
  answer(8);
  assert.deepEqual(await both, [8, 8]);
  assert.deepEqual([await slow(), reads], [8, 1]);

  const always = cachedFor(0, async () => ++reads);
  assert.deepEqual([await always(), await always()], [2, 3]);

  let failures = 0;
  const failing = cachedFor(Number.MAX_SAFE_INTEGER, async () => {
    failures++;
    throw new Error('away');
  });
  await assert.rejects(failing, /away/);
  await assert.rejects(failing, /away/);
  assert.equal(failures, 1, 'a failing database is not queried more often because it fails');
});

test('concurrent scrapes share one read', async () => {
  const metrics = platformMetrics();
  let reads = 0;
  metrics.add({ ...COMMON, name: 'reads', help: 'Reads', read: async () => ++reads });
  const texts = await Promise.all(Array.from({ length: 20 }, metrics.text));
  assert.deepEqual([new Set(texts).size, reads], [1, 1]);
  assert.deepEqual(await samplesOf(metrics, 'reads'), ['reads 2']);
});

test('figures of the installation are exported only while this process is the one that reports them', async () => {
  let isReporter = false;
  const metrics = platformMetrics({ isReporter: async () => isReporter });
  metrics.add({ ...COMMON, name: 'mine', help: 'Of the process', read: () => 1 });
  metrics.add({ ...COMMON, scope: 'installation', name: 'ours', help: 'Of all', read: () => 2 });
  metrics.add({
    ...COMMON,
    scope: 'installation',
    name: 'ours_by_queue',
    help: 'Of all',
    labels: ['queue'],
    read: () => [{ labels: { queue: 'a' }, value: 3 }],
  });
  const exported = async () => [
    ...(await samplesOf(metrics, 'mine')),
    ...(await samplesOf(metrics, 'ours')),
    ...(await samplesOf(metrics, 'ours_by_queue')),
  ];
  assert.deepEqual(await exported(), ['mine 1']);
  isReporter = true;
  assert.deepEqual(await exported(), ['mine 1', 'ours 2', 'ours_by_queue{queue="a"} 3']);
  isReporter = false;
  assert.deepEqual(await exported(), ['mine 1']);
  const unread = await samplesOf(metrics, 'metrics_unread_total');
  assert.ok(
    unread.every((line) => line.endsWith(' 0')),
    'leaving them out is no failure',
  );
});
