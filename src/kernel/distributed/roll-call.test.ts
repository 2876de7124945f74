import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bus } from './bus.ts';
import { inProcessBus } from './in-process.ts';
import { rollCall } from './roll-call.ts';

type Question = { of: string };

/** Processes on one bus, each of which answers questions of itself and of all. */
async function processes(bus: Bus, ...nodes: string[]) {
  const calls = nodes.map((node) =>
    rollCall<Question, string>({
      bus,
      node,
      name: 'test',
      answer: ({ of }) => (of === 'all' || of === node ? `${node} of ${of}` : undefined),
    }),
  );
  for (const one of calls) await one.start();
  return calls as [(typeof calls)[number], ...typeof calls];
}

test('all processes on a bus answer, the asking one first, and each asker hears its own answers', async () => {
  const [a, b] = await processes({ ...inProcessBus(), isShared: true }, 'a', 'b', 'c');
  const [toA, toB] = await Promise.all([a.ask({ of: 'all' }), b?.ask({ of: 'c' })]);
  assert.deepEqual([toA[0], toA.toSorted()], ['a of all', ['a of all', 'b of all', 'c of all']]);
  assert.deepEqual(toB, ['c of c']);
});

test('a process answers alone if it is the only one, or while the bus is interrupted', async () => {
  const [alone] = await processes(inProcessBus(), 'a', 'b');
  assert.deepEqual(await alone.ask({ of: 'all' }), ['a of all']);
  const broken = {
    ...inProcessBus(),
    isShared: true,
    publish: () => Promise.reject(new Error('interrupted')),
  };
  const [cut] = await processes(broken, 'a', 'b');
  assert.deepEqual(await cut.ask({ of: 'all' }), ['a of all']);
  const [away] = await processes({ ...broken, isConnected: () => false }, 'a');
  assert.deepEqual(await away.ask({ of: 'b' }), []);
});
