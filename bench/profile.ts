// Where the CPU of a request is spent: a profile of the server under a full load of transfers, and the writes of
// PostgreSQL per transfer, beside pgbench's TPC-B.
// `npm run bench:profile`, or with the names of other loads of `loads.ts`, or `-- left` for the notifications that
// transfers leave behind; BENCH_SECONDS (20) is the length of each load. The last table shows what each layer of the
// server takes of a request.
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from './backlog.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';
import { inspect, layerOf, partOf, sharesBy } from './cpu-profile.ts';
import { load } from './load.ts';
import { LOADS, type Load } from './loads.ts';
import { type Scene, startScene } from './scene.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** The work that transfers leave behind. */
const LEFT = 'left';
const given = process.argv.slice(2);
const kinds = given.length > 0 ? given : ['transfers'];
const unknown = kinds.filter((kind) => kind !== LEFT && !(kind in LOADS));
if (unknown.length > 0) {
  console.error(
    `no load is called ${unknown.join(', ')}; there are ${Object.keys(LOADS).join(', ')}, ${LEFT}`,
  );
  process.exit(1);
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

/** Works off the notifications that transfers have left. */
async function notify(scene: Scene): Promise<{ answered: number; perSecond: number }> {
  const count = async () =>
    Number((await scene.ask('select count(*) from notifications.notification'))[0]?.count);
  const before = await count();
  const seconds = await drain(scene);
  const answered = (await count()) - before;
  return { answered, perSecond: answered / seconds };
}

/** Profiles a load; returns the CPU of the server for a request, what each layer takes of it, and what is written. */
async function profiled(scene: Scene, kind: string, { send }: Awaited<ReturnType<typeof inspect>>) {
  const { fixture, requests } = scene;
  const apply = (next: () => Buffer, seconds: number) =>
    load({ url: fixture.url, connections: 32, seconds, warmUpSeconds: 0, next });
  await fixture.renewTokens();
  const next = kind === LEFT ? requests.uniformTransfer : await (LOADS[kind] as Load)(fixture);
  await apply(next, 5);
  if (kind === LEFT) await apply(next, SECONDS);
  else await drain(scene);
  await send('Profiler.start');
  const cpuBefore = cpuUs(fixture.pid);
  let answered = 0;
  const ofOne = await measured(scene, 'platform', async () => {
    const result = kind === LEFT ? await notify(scene) : await apply(next, SECONDS);
    answered = result.answered;
    return result;
  });
  const each = (cpuUs(fixture.pid) - cpuBefore) / answered;
  const { profile } = await send('Profiler.stop');
  console.log(`${kind}: ${Math.round(each)} us of CPU of the server each, with the profiler; of it`);
  console.table(
    [...sharesBy(partOf, profile)].slice(0, 24).map(([owner, share]) => ({
      owner,
      'us each': (share * each).toFixed(1),
      share: `${(share * 100).toFixed(1)} %`,
    })),
  );
  await drain(scene);
  const layers = [...sharesBy(layerOf, profile)].map(([layer, share]) => [layer, (share * each).toFixed(1)]);
  return { ofOne, budget: { whole: each.toFixed(1), ...Object.fromEntries(layers) } };
}

// The bundle would hide which source a function comes from.
const scene = await startScene({ program: 'src/cli/main.ts' });
try {
  const { fixture } = scene;
  const inspector = await inspect(fixture.pid);
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.setSamplingInterval', { interval: 500 });
  const writes: Record<string, object> = {};
  const budgets: Record<string, object> = {};
  for (const kind of kinds) {
    const { ofOne, budget } = await profiled(scene, kind, inspector);
    writes[kind] = ofOne;
    budgets[kind] = budget;
  }
  inspector.close();
  const { prepared } = kinds.includes('transfers') ? await scene.pgbench() : {};
  if (prepared) {
    process.kill(fixture.pid, 'SIGSTOP');
    writes['TPC-B, prepared'] = await measured(scene, 'pgbench', prepared.run);
    process.kill(fixture.pid, 'SIGCONT');
  }
  console.table(writes);
  console.log('Microseconds of the server for a request, by layer');
  console.table(budgets);
} finally {
  await scene.stop();
}
