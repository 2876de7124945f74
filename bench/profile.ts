// Where the CPU of a request is spent: a profile of the server under a full load of transfers, and the writes of
// PostgreSQL per transfer, beside pgbench's TPC-B.
// `npm run bench:profile`, or `-- mixed`, `-- balance`, `-- history` for other loads, or `-- notifications` for the
// work that transfers leave behind; BENCH_SECONDS (20) is the length of the load.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { drain } from './backlog.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';
import { load } from './load.ts';
import { type Scene, startScene } from './scene.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const INSPECTOR = 'http://127.0.0.1:9229';
const LOADS = {
  transfers: 'uniformTransfer',
  mixed: 'mixed',
  balance: 'balance',
  history: 'history',
} as const;
const kind = (process.argv[2] ?? 'transfers') as keyof typeof LOADS | 'notifications';
if (kind !== 'notifications' && !(kind in LOADS)) {
  console.error(`no load is called ${kind}; there are ${Object.keys(LOADS).join(', ')}, notifications`);
  process.exit(1);
}

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}
interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/** Opens the inspector of a running process; returns a function that sends it a command. */
async function inspect(pid: number) {
  process.kill(pid, 'SIGUSR1');
  await sleep(500);
  const [target] = (await (await fetch(`${INSPECTOR}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
  await new Promise((resolve) => socket.once('open', resolve));
  let commands = 0;
  const send = (method: string, params: object = {}): Promise<{ profile: Profile }> => {
    const id = ++commands;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => {
      const read = (text: Buffer) => {
        const answer = JSON.parse(text.toString());
        if (answer.id !== id) return;
        socket.off('message', read);
        resolve(answer.result);
      };
      socket.on('message', read);
    });
  };
  // A process does not exit while an inspector is connected.
  return { send, close: () => socket.close() };
}

/** Returns the owner of a frame: a package or a folder of the platform; undefined for a part of Node. */
function ownerOf({ functionName, url }: ProfileNode['callFrame']): string | undefined {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(idle)') return 'idle';
  const ofPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (ofPackage) return ofPackage[1];
  const ofPlatform = /\/src\/((?:kernel|modules|gateway)\/[^/]+)/.exec(url);
  return ofPlatform ? `src/${ofPlatform[1]}` : undefined;
}

/** Sums the time of samples by their owner; the time of Node itself counts for its caller. */
function byOwner({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const node = new Map(nodes.map((one) => [one.id, one]));
  const parent = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const owners = new Map<number, string>();
  const find = (id: number | undefined): string => {
    if (id === undefined) return 'Node: reading and writing sockets, timers';
    const cached = owners.get(id);
    if (cached) return cached;
    const owner = ownerOf((node.get(id) as ProfileNode).callFrame) ?? find(parent.get(id));
    owners.set(id, owner);
    return owner;
  };
  const sums = new Map<string, number>();
  samples.forEach((id, place) => {
    const owner = find(id);
    sums.set(owner, (sums.get(owner) ?? 0) + (timeDeltas[place] ?? 0));
  });
  return sums;
}

/** Returns how much a database has written and how often it has committed. */
async function written({ ask }: Scene, database: string): Promise<Record<string, number>> {
  const [row] = await ask(
    `select xact_commit as commits, tup_inserted as inserted, tup_updated as updated, tup_deleted as deleted,
       pg_current_wal_insert_lsn() - '0/0' as wal
     from pg_stat_database where datname = $1`,
    [database],
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

/** Runs work; returns the writes of the database and the CPU of PostgreSQL per transaction. */
async function measured(
  scene: Scene,
  database: string,
  run: () => Promise<{ answered: number; perSecond: number }>,
) {
  const { postmasterPid } = scene.fixture;
  const [before, cpuBefore] = [await written(scene, database), cpuWithChildrenUs(postmasterPid)];
  const { answered: count, perSecond } = await run();
  const cpu = cpuWithChildrenUs(postmasterPid) - cpuBefore;
  // Statistics are reported once a second.
  await sleep(1_500);
  const after = await written(scene, database);
  const each = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) / count).toFixed(2);
  return {
    'a second': Math.round(perSecond),
    'PostgreSQL us': Math.round(cpu / count),
    commits: each('commits'),
    inserted: each('inserted'),
    updated: each('updated'),
    deleted: each('deleted'),
    'WAL bytes': Math.round(((after.wal ?? 0) - (before.wal ?? 0)) / count),
  };
}

const scene = await startScene();
try {
  const { fixture, requests } = scene;
  const { send, close } = await inspect(fixture.pid);
  const apply = async (next: () => Buffer, seconds: number) =>
    load({ url: fixture.url, connections: 32, seconds, warmUpSeconds: 0, next });
  /** Processes the work that a load of transfers leaves behind. */
  const notify = async () => {
    const notificationCount = async () =>
      Number((await scene.ask('select count(*) from notifications.notification'))[0]?.count);
    const before = await notificationCount();
    const seconds = await drain(scene);
    const answered = (await notificationCount()) - before;
    return { answered, perSecond: answered / seconds };
  };
  await apply(requests.uniformTransfer, 5);
  if (kind === 'notifications') await apply(requests.uniformTransfer, SECONDS);
  else await drain(scene);
  await send('Profiler.enable');
  await send('Profiler.setSamplingInterval', { interval: 500 });
  await send('Profiler.start');
  const cpuBefore = cpuUs(fixture.pid);
  let answered = 0;
  const ofOne = await measured(scene, 'platform', async () => {
    const result = kind === 'notifications' ? await notify() : await apply(requests[LOADS[kind]], SECONDS);
    answered = result.answered;
    return result;
  });
  const cpu = cpuUs(fixture.pid) - cpuBefore;
  const { profile } = await send('Profiler.stop');
  close();
  const sums = [...byOwner(profile)].filter(([owner]) => owner !== 'idle').toSorted((a, b) => b[1] - a[1]);
  const whole = sums.reduce((sum, [, us]) => sum + us, 0);
  console.log(
    `${kind}: ${Math.round(cpu / answered)} us of CPU of the server each, with the profiler; of it`,
  );
  console.table(
    sums.slice(0, 24).map(([owner, us]) => ({
      owner,
      'us each': ((us / whole) * (cpu / answered)).toFixed(1),
      share: `${((us / whole) * 100).toFixed(1)} %`,
    })),
  );
  await drain(scene);
  const rows: Record<string, object> = { [kind]: ofOne };
  const { prepared } = kind === 'transfers' ? await scene.pgbench() : {};
  if (prepared) {
    process.kill(fixture.pid, 'SIGSTOP');
    rows['TPC-B, prepared'] = await measured(scene, 'pgbench', prepared.run);
    process.kill(fixture.pid, 'SIGCONT');
  }
  console.table(rows);
} finally {
  await scene.stop();
}
