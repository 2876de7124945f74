// How many messages to one room can be delivered per second, with how much CPU, latency and memory per connection? The
// servers and their clients stay up and take turns, once their code is warm.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuUs } from '../cpu.ts';
import { type Farm, KINDS, type Kind, type LiveScene, type LiveServer } from '../live-scene.ts';
import { median, rate } from '../paired.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SIZES = (process.env.BENCH_SIZES ?? '1000,10000').split(',').map(Number);
/** Deliveries per measurement. */
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 200_000);
const MANY_MEMBERS = 5_000;
const STEADY_SECONDS = 3;
/** A server is warm when two turns in a row differ by less than this, and not before this many deliveries. */
const WARM = { difference: 0.05, deliveries: 600_000, maxDeliveries: 2_400_000 };

/** A server and its clients, all of them in one room. */
interface Side {
  server: LiveServer;
  farm: Farm;
  members: number;
  /** Memory for each connection. */
  kilobytes: { resident: number; heap: number };
}

/** CPU in microseconds for each delivery. */
interface Measured {
  cpuUs: number;
  systemUs: number;
  clientsUs: number;
  perSecond: number;
}

/** Sends bursts, each one after the previous one has arrived everywhere. */
async function bursts({ server, farm, members }: Omit<Side, 'kilobytes'>, size: number): Promise<Measured> {
  const times = Math.max(3, Math.round(DELIVERIES / members / size));
  const clientsBeforeUs = cpuUs(farm.pid);
  const before = await server.cpu();
  const startedMs = performance.now();
  for (let time = 0; time < times; time++) {
    const arrived = await farm.expect(members * size);
    server.send(size);
    await arrived();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await server.cpu();
  const deliveries = times * members * size;
  const systemUs = after.system - before.system;
  return {
    cpuUs: (after.user - before.user + systemUs) / deliveries,
    systemUs: systemUs / deliveries,
    clientsUs: (cpuUs(farm.pid) - clientsBeforeUs) / deliveries,
    perSecond: deliveries / seconds,
  };
}

/** Sends messages at a steady rate for some seconds. */
async function steady({ server, farm, members }: Side) {
  const perSecond = members > MANY_MEMBERS ? 2 : 10;
  const messages = perSecond * STEADY_SECONDS;
  const arrived = await farm.expect(members * messages);
  for (let message = 0; message < messages; message++) {
    server.send(1);
    await sleep(1000 / perSecond);
  }
  return arrived();
}

async function warmUp(side: Omit<Side, 'kilobytes'>): Promise<void> {
  let previous = Number.POSITIVE_INFINITY;
  for (let deliveries = 0; deliveries < WARM.maxDeliveries; ) {
    const turn = await bursts(side, 1);
    deliveries += DELIVERIES;
    const difference = Math.abs(turn.cpuUs / previous - 1);
    if (deliveries >= WARM.deliveries && difference < WARM.difference) return;
    previous = turn.cpuUs;
  }
}

async function connected(scene: LiveScene, server: LiveServer, members: number): Promise<Farm> {
  const farm = await scene.startFarm();
  const tokens = server.target.kind === 'ours' ? await server.tokensOf(members) : [];
  await farm.connect({ ...server.target, tokens }, members);
  return farm;
}

/** Starts a warm server whose clients are connected. */
async function start(scene: LiveScene, kind: Kind, members: number): Promise<Side> {
  const server = await scene.startServer(kind);
  const first = await connected(scene, server, members);
  await warmUp({ server, farm: first, members });
  await first.stop();
  await server.empty();
  // Only now: what a process allocates while it does something for the first time is not of its connections.
  const empty = await server.memory();
  const farm = await connected(scene, server, members);
  await sleep(1_000);
  const full = await server.memory();
  const perMember = (bytes: number) => bytes / members / 1024;
  return {
    server,
    farm,
    members,
    kilobytes: { resident: perMember(full.rss - empty.rss), heap: perMember(full.heap - empty.heap) },
  };
}

async function measure(side: Side) {
  return {
    one: await bursts(side, 1),
    ten: await bursts(side, 10),
    steady: await steady(side),
    kilobytes: side.kilobytes,
  };
}

type Result = Awaited<ReturnType<typeof measure>>;
type Round = Record<Kind, Result>;

interface Figure {
  what: string;
  read: (result: Result) => number;
  digits?: number;
  /** Whether a larger value is better. */
  isRate?: boolean;
  /** At least this part of the prepared frame, and this many times socket.io. */
  targets?: string;
}

const figuresOf = (members: number): Figure[] => {
  const perSecond = members > MANY_MEMBERS ? 'two' : 'ten';
  return [
    { what: 'one message at a time: CPU us', read: ({ one }) => one.cpuUs, digits: 2, targets: '0.95, -' },
    { what: 'of which system', read: ({ one }) => one.systemUs, digits: 2 },
    { what: "the clients' CPU us", read: ({ one }) => one.clientsUs, digits: 2 },
    { what: 'deliveries/s', read: ({ one }) => one.perSecond, digits: 0, isRate: true },
    { what: 'bursts of ten: CPU us', read: ({ ten }) => ten.cpuUs, digits: 2, targets: '-, 6; < 0.9 us' },
    { what: 'of which system', read: ({ ten }) => ten.systemUs, digits: 2 },
    { what: "the clients' CPU us", read: ({ ten }) => ten.clientsUs, digits: 2 },
    { what: 'deliveries/s', read: ({ ten }) => ten.perSecond, digits: 0, isRate: true },
    { what: `${perSecond} messages/s: p50 ms`, read: ({ steady: { p50Ms } }) => p50Ms },
    { what: 'p99 ms', read: ({ steady: { p99Ms } }) => p99Ms, targets: '< 100 ms' },
    { what: 'heap KB/connection', read: ({ kilobytes }) => kilobytes.heap, targets: '< 6 KB beyond ws' },
    // With few connections it says more about the process than about them.
    ...(members > MANY_MEMBERS
      ? [{ what: 'resident KB/connection', read: ({ kilobytes }: Result) => kilobytes.resident }]
      : []),
  ];
};

/** Medians over the rounds; the ratios are those of the rounds, above 1 if the platform is better. */
function rowOf(
  rounds: Round[],
  members: number,
  { what, read, digits = 1, isRate = false, targets = '' }: Figure,
) {
  const of = (kind: Kind) => median(rounds.map((round) => read(round[kind]))).toFixed(digits);
  const ratioTo = (other: Kind): string => {
    const ratios = rounds.map((round) => {
      const ratio = read(round.ours) / read(round[other]);
      return isRate ? ratio : 1 / ratio;
    });
    const [least, middle, greatest] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
    return `${middle.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
  };
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

async function rowsOf(scene: LiveScene, members: number): Promise<object[]> {
  const sides = new Map<Kind, Side>();
  const rounds: Round[] = [];
  try {
    for (const kind of KINDS) sides.set(kind, await start(scene, kind, members));
    for (let round = 1; round <= ROUNDS; round++) {
      const results: Partial<Round> = {};
      for (const kind of round % 2 ? KINDS : KINDS.toReversed())
        results[kind] = await measure(sides.get(kind) as Side);
      const result = results as Round;
      rounds.push(result);
      const figures = KINDS.map((kind) => `${kind} ${rate(result[kind].one.perSecond)}`).join(', ');
      console.error(`deliveries to ${members} members, round ${round} of ${ROUNDS}: ${figures}`);
    }
  } finally {
    for (const { farm, server } of sides.values()) {
      await farm.stop();
      await server.stop();
    }
  }
  return figuresOf(members).map((figure) => rowOf(rounds, members, figure));
}

export async function liveDeliveries(scene: LiveScene): Promise<object[]> {
  const rows: object[] = [];
  for (const members of SIZES) rows.push(...(await rowsOf(scene, members)));
  return rows;
}
