// How many messages to one room can be delivered per second, with how much CPU, latency and memory per connection?
import { setTimeout as sleep } from 'node:timers/promises';
import { type Farm, KINDS, type Kind, type LiveScene, type LiveServer } from '../live-scene.ts';
import { median, rate } from '../paired.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SIZES = (process.env.BENCH_SIZES ?? '1000,10000').split(',').map(Number);
/** Deliveries per measurement. */
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 100_000);
const MANY_MEMBERS = 5_000;
const STEADY_SECONDS = 3;

interface Measured {
  cpuUs: number;
  perSecond: number;
}

/** Sends bursts, each one after the previous one has arrived everywhere. */
async function bursts(server: LiveServer, farm: Farm, members: number, size: number): Promise<Measured> {
  const times = Math.max(3, Math.round(DELIVERIES / members / size));
  await server.usage();
  const before = await server.usage();
  const startedMs = performance.now();
  for (let time = 0; time < times; time++) {
    const arrived = await farm.expect(members * size);
    server.send(size);
    await arrived();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const deliveries = times * members * size;
  return {
    cpuUs: ((await server.usage()).cpuUs - before.cpuUs) / deliveries,
    perSecond: deliveries / seconds,
  };
}

/** Sends messages at a steady rate for some seconds. */
async function steady(server: LiveServer, farm: Farm, members: number, perSecond: number) {
  const messages = perSecond * STEADY_SECONDS;
  const arrived = await farm.expect(members * messages);
  for (let message = 0; message < messages; message++) {
    server.send(1);
    await sleep(1000 / perSecond);
  }
  return arrived();
}

async function measure(scene: LiveScene, kind: Kind, members: number) {
  const server = await scene.startServer(kind);
  const farm = await scene.startFarm();
  try {
    const tokens = kind === 'ours' ? await server.tokensOf(members) : [];
    const empty = await server.usage();
    await farm.connect({ ...server.target, tokens }, members);
    await sleep(1_000);
    const full = await server.usage();
    await bursts(server, farm, members, 1); // warm up
    return {
      one: await bursts(server, farm, members, 1),
      ten: await bursts(server, farm, members, 10),
      steady: await steady(server, farm, members, members > MANY_MEMBERS ? 2 : 10),
      kilobytes: (full.rss - empty.rss) / members / 1024,
      heapKilobytes: (full.heap - empty.heap) / members / 1024,
    };
  } finally {
    await farm.stop();
    await server.stop();
  }
}

type Result = Awaited<ReturnType<typeof measure>>;
type Round = Record<Kind, Result>;

interface Figure {
  what: string;
  read: (result: Result) => number;
  digits?: number;
  /** Whether a larger value is better. */
  isRate?: boolean;
  targets?: string;
}

const figuresOf = (members: number): Figure[] => {
  const perSecond = members > MANY_MEMBERS ? 'two' : 'ten';
  return [
    {
      what: 'one message at a time: deliveries/s',
      read: ({ one }) => one.perSecond,
      digits: 0,
      isRate: true,
      targets: '0.9, 1.5',
    },
    { what: 'the same: CPU us/delivery', read: ({ one }) => one.cpuUs, digits: 2, targets: '0.9, 1.5' },
    {
      what: 'bursts of ten: deliveries/s',
      read: ({ ten }) => ten.perSecond,
      digits: 0,
      isRate: true,
      targets: '-, 3',
    },
    { what: 'the same: CPU us/delivery', read: ({ ten }) => ten.cpuUs, digits: 2, targets: '-, 3' },
    { what: `${perSecond} messages/s: p50 ms`, read: ({ steady: { p50Ms } }) => p50Ms },
    {
      what: `${perSecond} messages/s: p99 ms`,
      read: ({ steady: { p99Ms } }) => p99Ms,
      targets: '< 100 ms',
    },
    {
      what: 'resident KB/connection',
      read: ({ kilobytes }) => kilobytes,
      targets: '< 10 KB beyond ws',
    },
    { what: 'heap KB/connection', read: ({ heapKilobytes }) => heapKilobytes },
  ];
};

/** Medians over the rounds; the ratios are medians of the rounds' ratios, above 1 if the platform is better. */
function rowOf(
  rounds: Round[],
  members: number,
  { what, read, digits = 1, isRate = false, targets = '' }: Figure,
) {
  const of = (kind: Kind) => median(rounds.map((round) => read(round[kind]))).toFixed(digits);
  const ratioTo = (other: Kind) =>
    median(
      rounds.map((round) => {
        const ratio = read(round.ours) / read(round[other]);
        return isRate ? ratio : 1 / ratio;
      }),
    ).toFixed(2);
  return {
    members,
    what,
    ours: of('ours'),
    'prepared frame': of('ws'),
    'socket.io': of('socket.io'),
    'of the limit': ratioTo('ws'),
    'times socket.io': ratioTo('socket.io'),
    targets,
  };
}

async function roundOf(scene: LiveScene, members: number, kinds: readonly Kind[]): Promise<Round> {
  const results: Partial<Round> = {};
  for (const kind of kinds) results[kind] = await measure(scene, kind, members);
  return results as Round;
}

export async function liveDeliveries(scene: LiveScene): Promise<object[]> {
  const rows: object[] = [];
  for (const members of SIZES) {
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const result = await roundOf(scene, members, round % 2 ? KINDS : KINDS.toReversed());
      rounds.push(result);
      const figures = KINDS.map((kind) => `${kind} ${rate(result[kind].one.perSecond)}`).join(', ');
      console.error(`deliveries to ${members} members, round ${round} of ${ROUNDS}: ${figures}`);
    }
    for (const figure of figuresOf(members)) rows.push(rowOf(rounds, members, figure));
  }
  return rows;
}
