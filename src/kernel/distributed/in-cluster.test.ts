import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { manualClock } from '../time/time.ts';
import type { Cache } from './cache.ts';
import { clusterHub, type Link, mergeMetrics, siblingsOf } from './in-cluster.ts';
import { inProcessCache } from './in-process.ts';
import { resilientCache } from './resilient.ts';

const clock = manualClock(1_800_000_000_000);

/** The two ends of a channel, which copies messages as that between processes does. */
function channel(): [Link, Link] {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const linkOf = (own: EventEmitter, other: EventEmitter): Link => ({
    send: (message) => void setImmediate(() => other.emit('message', JSON.parse(JSON.stringify(message)))),
    onMessage: (receive) => void own.on('message', receive),
  });
  return [linkOf(here, there), linkOf(there, here)];
}

function cluster(count: number) {
  const hub = clusterHub(clock);
  const joined = Array.from({ length: count }, (_, place) => {
    const [own, supervisors] = channel();
    return { siblings: siblingsOf(own), leave: hub.add(String(place + 1), supervisors) };
  });
  return joined as [(typeof joined)[number], ...typeof joined];
}

test('a message reaches subscribers in every process once, and none after a process has left', async () => {
  const processes = cluster(3);
  const heard = new EventEmitter();
  const got: string[] = [];
  for (const [place, { siblings }] of processes.entries())
    await siblings.bus.subscribe('room', (message) => {
      got.push(`${place + 1} ${message}`);
      if (got.length % 3 === 0) heard.emit('all');
    });
  const all = once(heard, 'all');
  await processes[1]?.siblings.bus.publish('room', 'hello');
  await all;
  assert.deepEqual(got.sort(), ['1 hello', '2 hello', '3 hello']);
  processes[2]?.leave();
  got.length = 0;
  await processes[0].siblings.bus.publish('room', 'again');
  await processes[0].siblings.cache.get('whatever was sent before has arrived');
  await new Promise(setImmediate);
  assert.deepEqual(got.sort(), ['1 again', '2 again']);
});

test('processes count against one limit, and share values', async () => {
  const [one, two] = cluster(2).map(({ siblings }) =>
    resilientCache(siblings.cache, inProcessCache(clock)),
  ) as [Cache, Cache];
  const windows = [{ name: 'minute', lengthMs: 60_000, limit: 5 }];
  const attempts = Array.from({ length: 8 }, (_, place) =>
    (place % 2 === 0 ? one : two).consume('key', windows, clock.now()),
  );
  const admitted = (await Promise.all(attempts)).filter((allowance) => allowance.admitted);
  assert.deepEqual(admitted.map(({ windows: [state] }) => state?.remaining).sort(), [0, 1, 2, 3, 4]);
  await one.set('value', 'x', 1_000);
  assert.equal(await two.get('value'), 'x');
  assert.equal(await two.get('nothing'), undefined);
});

test('with a supervisor that does not answer, a process counts for itself', async () => {
  const [own] = channel();
  const cache = resilientCache(siblingsOf(own).cache, inProcessCache(clock));
  const windows = [{ name: 'minute', lengthMs: 60_000, limit: 1 }];
  assert.equal((await cache.consume('key', windows, clock.now())).admitted, true);
  assert.equal((await cache.consume('key', windows, clock.now())).admitted, false);
});

test('metrics of all processes are one text, each sample labelled with its process', async () => {
  const [{ siblings: one }, other, left] = cluster(3);
  const text = (value: number) => async () =>
    `# HELP a_total A\n# TYPE a_total counter\na_total ${value}\n\n# HELP b B\n# TYPE b gauge\nb{x="y{}"} ${value}\n`;
  const read = one.shareMetrics(text(1));
  other?.siblings.shareMetrics(text(2));
  left?.siblings.shareMetrics(async () => {
    throw new Error('it is ending');
  });
  assert.equal(
    await read(),
    [
      ...[
        '# HELP a_total A',
        '# TYPE a_total counter',
        'a_total{process="1"} 1',
        'a_total{process="2"} 2',
        '',
      ],
      ...['# HELP b B', '# TYPE b gauge', 'b{process="1",x="y{}"} 1', 'b{process="2",x="y{}"} 2', ''],
    ].join('\n'),
  );
  assert.equal(mergeMetrics({}), '');
});
