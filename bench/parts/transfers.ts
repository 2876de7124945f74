// How many transfers per second, compared with pgbench on the same PostgreSQL, and at which rate do their notifications
// keep up?
import { drain } from '../backlog.ts';
import { rate } from '../paired.ts';
import { loadOnce, type Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

const LIMITS = [
  ['simple', 'pgbench TPC-B, 8 clients, simple protocol'],
  ['prepared', 'pgbench TPC-B, 8 clients, prepared statements'],
  ['own writes', 'pgbench, the writes of a transfer in one function'],
] as const;
const SUSTAINED_SECONDS = 10;

export async function transfers(scene: Scene): Promise<Row[]> {
  const { ours, requests } = scene;
  const turns = await scene.interleave('transfers', {
    uniform: ours(requests.uniformTransfer),
    hot: ours(requests.transferToHot),
    ...(await scene.pgbench()),
  });
  const kinds = [
    ['transfers, uniform over 1,000 wallets', turns.uniform],
    ['transfers, one hot recipient', turns.hot],
  ] as const;
  const rows = kinds.flatMap(([what, of]) =>
    LIMITS.map(([name, limitName]) =>
      compared({
        what,
        ours: of,
        limit: turns[name],
        limitName,
        ...(name === 'prepared' ? { target: 1.5 } : {}),
      }),
    ),
  );
  await drain(scene);
  return [...rows, await sustained(scene, turns.prepared)];
}

/** Includes the time until every recipient has a notification, so that no backlog is left. */
async function sustained(scene: Scene, prepared: { perSecond: number }[] | undefined): Promise<Row> {
  const { fixture, requests, ask } = scene;
  const count = async () => Number((await ask('select count(*) from notifications.notification'))[0]?.count);
  const before = await count();
  const startedMs = performance.now();
  const { answered } = await loadOnce(fixture.url, 32, requests.uniformTransfer, SUSTAINED_SECONDS);
  const loadedSeconds = (performance.now() - startedMs) / 1000;
  const createdDuringLoad = (await count()) - before;
  const drainSeconds = await drain(scene);
  const perSecond = answered / (loadedSeconds + drainSeconds);
  const limit = prepared?.map((turn) => turn.perSecond).toSorted((a, b) => a - b)[prepared.length >> 1];
  return {
    what: 'transfers, uniform, until the last recipient is notified',
    ours: `${rate(perSecond)}: ${answered.toLocaleString('en-US')} in ${loadedSeconds.toFixed(1)} s with ${createdDuringLoad.toLocaleString('en-US')} notifications, the others ${drainSeconds.toFixed(1)} s later`,
    limit: limit ? `pgbench TPC-B, 8 clients, prepared statements: ${rate(limit)}` : 'pgbench: not found',
    ratio: limit ? (perSecond / limit).toFixed(2) : '-',
    target: '1.0',
  };
}
