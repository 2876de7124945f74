// The latency of a bystander's `GET /v1/wallets/balance` while ten connections send the most expensive requests that
// one member, or an anonymous client, can send, and the memory of the process.
// `npm run bench:bystander [-- <attack> ...]`. BENCH_SECONDS is the length of an attack. The target: p99 below 250 ms.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { liveAttacks } from './attacks/live.ts';
import { requestAttacks } from './attacks/requests.ts';
import { socketAttacks } from './attacks/sockets.ts';
import { type Attack, type Attacks, startStage } from './attacks/stage.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const LANES = 10;
const TARGET_MS = 250;

const stage = await startStage();
const { fixture, bystander } = stage;
const ATTACKS: Attacks = { ...requestAttacks(stage), ...socketAttacks(stage), ...liveAttacks(stage) };

/** Returns the resident memory of the platform's process, in MiB. */
function residentMiB(): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${fixture.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}

/** Measures the bystander's requests, one after the other; returns their durations in order. */
async function watch(): Promise<number[]> {
  const workerData = { url: fixture.url, headers: bystander.headers, seconds: SECONDS };
  const worker = new Worker(new URL('./attacks/bystander.worker.ts', import.meta.url), { workerData });
  const [latenciesMs] = await once(worker, 'message');
  return latenciesMs;
}

/** Samples the memory of the platform's process until `isOver`; returns the maximum. */
async function watchMemory(isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    most = Math.max(most, residentMiB());
    await sleep(100);
  }
  return most;
}

/** Runs one attack beside the bystander, and returns the row of its result. */
async function measure(attack: Attack | undefined) {
  const endsMs = performance.now() + SECONDS * 1000;
  const isOver = () => performance.now() >= endsMs;
  const statuses = new Map<number, number>();
  let sent = 0;
  const lane = async (perform: Attack) => {
    while (!isOver()) {
      const status = await perform(sent++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const lanes = attack ? Array.from({ length: LANES }, () => lane(attack)) : [];
  const [latenciesMs, mostMiB] = await Promise.all([watch(), watchMemory(isOver), ...lanes]);
  const at = (part: number) =>
    Math.round((latenciesMs[Math.floor(latenciesMs.length * part)] ?? 0) * 10) / 10;
  return {
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'worst ms': at(0.9999),
    met: at(0.99) < TARGET_MS,
    'most MiB': mostMiB,
    'attacks/s': Math.round(sent / SECONDS),
    answered: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
  };
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in ATTACKS));
try {
  if (unknown.length > 0) throw new Error(`there are ${Object.keys(ATTACKS).join(', ')}`);
  const rows: Record<string, Awaited<ReturnType<typeof measure>>> = { alone: await measure(undefined) };
  for (const [name, make] of Object.entries(ATTACKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    rows[name] = await measure(await make());
    console.log(`${name}: p99 ${rows[name]['p99 ms']} ms`);
  }
  console.table(rows);
  if (Object.values(rows).some(({ met }) => !met)) process.exitCode = 1;
} finally {
  await fixture.stop();
}
