// `ENDURANCE_SECONDS=3600 npm run bench:endurance`: does anything grow under a mixed load that should not? Samples
// memory, the event loop, garbage collection, backlogs and sizes of tables over time, and prints a chart of each.
// ENDURANCE_RATE limits the requests per second: at the maximum rate notifications are created more slowly than
// transfers, so their backlog would grow.
import { readFileSync } from 'node:fs';
import { backlogOf } from './backlog.ts';
import { load } from './load.ts';
import { requestsOf, type Scene, startScene } from './scene.ts';

const SECONDS = Number(process.env.ENDURANCE_SECONDS ?? 3_600);
const RATE = Number(process.env.ENDURANCE_RATE ?? 500);
const SAMPLES = 60;
const CONNECTIONS = 32;
const LARGEST = 8;
const RENEW_MS = Math.min(5 * 60_000, (1000 * SECONDS) / 4);

/** The figures at one moment, by name. */
type Sample = Map<string, number>;

const MEGABYTE = 2 ** 20;

/** The resident memory of a process (Linux). */
function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** Returns the metrics of the platform, summed over their labels. */
async function metricsOf(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const sums = new Map<string, number>();
  for (const [, name = '', value] of text.matchAll(/^([a-z_0-9]+)(?:\{[^}]*\})? (\S+)$/gm))
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  return sums;
}

/** The largest tables, with their indexes listed separately. */
const SIZES = `select relname as name, pg_table_size(oid) as bytes, pg_indexes_size(oid) as indexes
  from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^pg_|information_schema'
  order by pg_total_relation_size(oid) desc limit ${LARGEST}`;

async function sampleOf(scene: Scene, before: Map<string, number>, perSecond: number): Promise<Sample> {
  const { fixture, ask } = scene;
  const sample: Sample = new Map([['requests a second', perSecond]]);
  sample.set('resident memory, MB', residentMb(fixture.pid));
  const metrics = await metricsOf(fixture.url);
  const since = (name: string) => (metrics.get(name) ?? 0) - (before.get(name) ?? 0);
  sample.set('heap in use, MB', (metrics.get('nodejs_heap_size_used_bytes') ?? 0) / MEGABYTE);
  sample.set('event loop delay p99, ms', (metrics.get('nodejs_eventloop_lag_p99_seconds') ?? 0) * 1000);
  sample.set(
    'garbage collection, ms a second',
    (since('nodejs_gc_duration_seconds_sum') * 1000 * SAMPLES) / SECONDS,
  );
  sample.set('notifications to be made', await backlogOf(scene));
  const [jobs] = await ask('select count(*) as waiting from jobs.job where state < $1', ['completed']);
  sample.set('jobs waiting', Number(jobs?.waiting));
  for (const { name, bytes, indexes } of await ask(SIZES)) {
    sample.set(`table ${name}, MB`, Number(bytes) / MEGABYTE);
    sample.set(`indexes of ${name}, MB`, Number(indexes) / MEGABYTE);
  }
  for (const [name, value] of metrics) before.set(name, value);
  return sample;
}

const BARS = '▁▂▃▄▅▆▇█';

/** Returns a line of bars between the minimum and the maximum. */
function chart(values: number[]): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const place = (value: number) =>
    greatest === least ? 0 : Math.round(((value - least) / (greatest - least)) * (BARS.length - 1));
  return values.map((value) => BARS[place(value)]).join('');
}

function print(samples: Sample[]): void {
  const names = new Set(samples.flatMap((sample) => [...sample.keys()]));
  const width = Math.max(...[...names].map((name) => name.length));
  for (const name of names) {
    const values = samples.map((sample) => sample.get(name)).filter((value) => value !== undefined);
    const [first, last] = [values[0], values.at(-1)] as [number, number];
    const half = values[values.length >> 1] as number;
    const text = [first, half, last].map((value) => value.toFixed(1).padStart(9)).join(' ');
    console.log(`${name.padEnd(width)} ${text}  ${chart(values)}`);
  }
  console.log('(the first sample, the one in the middle and the last; bars from the least to the greatest)');
}

const scene = await startScene();
const samples: Sample[] = [];
try {
  const { fixture } = scene;
  let requests = requestsOf(fixture);
  let renewedMs = performance.now();
  const next = () => {
    const dice = Math.random();
    if (dice < 0.7) return requests.balance();
    return dice < 0.9 ? requests.uniformTransfer() : requests.history();
  };
  const before = await metricsOf(fixture.url);
  for (let number = 1; number <= SAMPLES; number++) {
    if (performance.now() - renewedMs > RENEW_MS) {
      await fixture.renewTokens();
      requests = requestsOf(fixture);
      renewedMs = performance.now();
    }
    const { perSecond, statuses } = await load({
      url: fixture.url,
      connections: CONNECTIONS,
      seconds: SECONDS / SAMPLES,
      warmUpSeconds: 0,
      ratePerSecond: RATE,
      next,
    });
    const failed = Object.keys(statuses).filter((status) => !status.startsWith('2'));
    if (failed.length > 0) throw new Error(`not all were answered well: ${JSON.stringify(statuses)}`);
    samples.push(await sampleOf(scene, before, perSecond));
    console.error(`sample ${number} of ${SAMPLES}: ${Math.round(perSecond).toLocaleString('en-US')}/s`);
  }
} finally {
  print(samples);
  await scene.stop();
}
