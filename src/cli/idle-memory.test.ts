import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleTrimmer } from './idle-memory.ts';

const MB = 1024 * 1024;

/** Returns a trimmer of a process whose figures the test sets, and how often it was trimmed. */
function trimmed() {
  const figures = { busy: 0.02, rss: 200 * MB, heapUsed: 60 * MB, kept: 150 * MB };
  let collections = 0;
  const collector = { fails: false };
  const tick = idleTrimmer({
    busy: () => figures.busy,
    memory: () => figures,
    collect: async () => {
      collections++;
      if (collector.fails) throw new Error('ERR_ACCESS_DENIED');
      figures.rss = figures.kept;
    },
  });
  return { figures, collector, tick, collections: () => collections };
}

test('an idle process gives memory back once, and again when it has grown', async () => {
  const { figures, tick, collections } = trimmed();
  await tick();
  await tick();
  assert.equal(collections(), 1);
  figures.rss = figures.kept + 40 * MB;
  await tick();
  assert.equal(collections(), 2);
});

test('a process that works, or has much in its heap, is not stopped for a collection', async () => {
  const busy = trimmed();
  busy.figures.busy = 0.05;
  const large = trimmed();
  large.figures.heapUsed = 300 * MB;
  for (const { tick, collections } of [busy, large]) {
    await tick();
    assert.equal(collections(), 0);
  }
});

test('memory that is in use is not collected for again and again', async () => {
  const { figures, tick, collections } = trimmed();
  figures.kept = 200 * MB;
  for (let times = 0; times < 3; times++) await tick();
  assert.equal(collections(), 1);
});

test('a process that may not collect goes on, and does not try again', async () => {
  const { collector, tick, collections } = trimmed();
  collector.fails = true;
  await tick();
  await tick();
  assert.equal(collections(), 1);
});
