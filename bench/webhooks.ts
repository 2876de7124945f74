// Outgoing webhooks: how long an event takes from its transaction to the receiver, how many deliveries a second are
// possible with one receiver and with ten of which one hangs, and how much an endpoint for all events slows
// transfers down. `npm run bench:webhooks`, or one part: `-- delay`, `-- deliveries`, `-- transfers`. On two idle
// cores.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startChild } from './children.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';
import { startFixture } from './fixture.ts';
import { load } from './load.ts';
import { interleave, median, rate } from './paired.ts';
import { loadOnce, requestsOf } from './scene.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 30_000);
const DELAY_SECONDS = Number(process.env.BENCH_DELAY_SECONDS ?? 30);
const EVENTS_PER_SECOND = 100;

interface Figures {
  events: number;
  p50Ms: number | null;
  p99Ms: number | null;
}
const fixture = await startFixture(200);
const receiver = await startChild(['bench/webhook-receiver.ts'], {});
const database = new pg.Client({ connectionString: fixture.databaseUrl });
await database.connect();
const requests = requestsOf(fixture);
const table: object[] = [];

async function call(method: string, path: string, body?: object, token?: string) {
  const response = await fetch(fixture.url + path, {
    method,
    headers: {
      'x-api-key': fixture.unlimitedKey,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { success, data, message } = (await response.json()) as {
    success: boolean;
    data: Record<string, unknown>;
    message: string;
  };
  if (!success) throw new Error(`${path}: ${message}`);
  return data;
}
/** The administrator's session lasts 15 minutes. */
const asAdmin = async (method: string, path: string, body?: object) => {
  const session = await call('POST', '/v1/auth/signin', {
    ...fixture.admin,
    platform: 'web',
    device: 'bench',
  });
  return call(method, path, body, session.accessToken as string);
};
const figures = async (reset = false): Promise<Figures> =>
  (await (await fetch(`${receiver.readyValues.url}/figures${reset ? '?reset' : ''}`)).json()) as Figures;

async function register(
  name: string,
  more: object = {},
): Promise<{ id: string; remove(): Promise<unknown> }> {
  const { id } = await asAdmin('POST', '/v1/webhook-endpoints', {
    url: `${receiver.readyValues.url}/${name}`,
    ...more,
  });
  const path = `/v1/webhook-endpoints/${id}`;
  return { id: id as string, remove: () => asAdmin('DELETE', path) };
}
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(20);
}
const countOf = async (text: string): Promise<number> => Number((await database.query(text)).rows[0].count);

/** At a hundred events a second, as transfers make them. */
async function delay(): Promise<void> {
  const { remove } = await register('delay', { types: ['wallet.*'] });
  const { answered } = await load({
    url: fixture.url,
    connections: 8,
    seconds: DELAY_SECONDS,
    ratePerSecond: EVENTS_PER_SECOND,
    next: requests.uniformTransfer,
  });
  await until(async () => (await figures()).events >= answered);
  const { events, p50Ms, p99Ms } = await figures(true);
  table.push({
    what: `from the transaction to the receiver, ${EVENTS_PER_SECOND} events a second`,
    ours: `p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
    of: events,
    target: 'p50 below 250 ms',
  });
  await remove();
}

/**
 * Writes events to the log, has them numbered while all endpoints are disabled, and measures from the moment of
 * enabling.
 */
async function deliveries(names: string[]): Promise<void> {
  const endpoints = [];
  for (const name of names)
    endpoints.push(await register(name, { enabled: false, types: ['educator.followed'] }));
  const each = Math.ceil(EVENTS / names.length);
  await database.query(
    `insert into webhooks.event (id, type, happened_at, data)
     select lpad(to_hex(n), 24, 'e'), 'educator.followed', now(),
       '{"educatorId":"6740f1c2a9b3e4d5f6a7b8c9","userId":"6740f1c2a9b3e4d5f6a7b8ca"}'
     from generate_series(1, $1::integer) n`,
    [each],
  );
  const all = each * names.length;
  await until(
    async () => (await countOf(`select count(*) from webhooks.delivery where status = 'pending'`)) === all,
  );
  await database.query('vacuum analyze webhooks.delivery, webhooks.event');
  await figures(true);
  const expected = all - (names.includes('hang') ? each : 0);
  const cpu = () => ({ ours: cpuUs(fixture.pid), postgres: cpuWithChildrenUs(fixture.postmasterPid) });
  const before = cpu();
  const startedMs = performance.now();
  await database.query('update webhooks.endpoint set enabled = true');
  await until(async () => (await figures()).events >= expected);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = cpu();
  const cpuOf = (part: 'ours' | 'postgres') => Math.round((after[part] - before[part]) / expected);
  table.push({
    what:
      names.length === 1
        ? 'deliveries, one receiver'
        : `deliveries, ${names.length} receivers, one of which hangs`,
    ours: rate(expected / seconds),
    of: expected,
    'CPU us each': `${cpuOf('ours')} + ${cpuOf('postgres')}`,
    target: '3,000/s',
  });
  for (const { remove } of endpoints) await remove();
}

/** Waits until the backlog of the last turn is empty: events that were not numbered, and deliveries. */
const drained = (): Promise<void> =>
  until(async () => {
    const left = await countOf(
      `select (select coalesce(sum(json_array_length(events::json)), 0) from kernel.outbox)
         + (select count(*) from jobs.job where state < 'completed' and start_after <= now())
         + (select count(*) from webhooks.delivery where status = 'pending' and due_at is null) as count`,
    );
    if (left > 0) await sleep(500);
    return left === 0;
  });

/** Measures with one endpoint for all events and with none, in turns. */
async function transfers(): Promise<void> {
  let endpoint: Awaited<ReturnType<typeof register>> | undefined;
  const run = () => loadOnce(fixture.url, 32, requests.uniformTransfer);
  const turns = await interleave(
    {
      'with an endpoint': {
        before: async () => {
          await drained();
          endpoint = await register('all');
        },
        run,
        after: async () => void (await endpoint?.remove()),
        serverPid: fixture.pid,
      },
      'without one': { before: drained, run, serverPid: fixture.pid },
    },
    { postmasterPid: fixture.postmasterPid, title: 'transfers' },
  );
  const [own, others] = [turns['with an endpoint'], turns['without one']];
  const ratios = own.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0));
  const figure = (of: typeof own) => rate(median(of.map(({ perSecond }) => perSecond)));
  table.push({
    what: 'transfers with one endpoint for everything',
    ours: `${figure(own)}, without ${figure(others)}`,
    of: `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    target: '0.97',
  });
}

const PARTS: Record<string, () => Promise<void>> = {
  delay,
  deliveries: async () => {
    await deliveries(['one']);
    await deliveries(['hang', ...Array.from({ length: 9 }, (_, number) => `number-${number}`)]);
  },
  transfers,
};
const chosen = process.argv.slice(2);
try {
  for (const [name, part] of Object.entries(PARTS))
    if (chosen.length === 0 || chosen.includes(name)) await part();
  console.table(table);
} finally {
  await database.end();
  await receiver.stop();
  await fixture.stop();
}
