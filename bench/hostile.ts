// The effect on a bystander of hostile requests on ten connections: `npm run bench:hostile`, on two idle cores.
// BENCH_SECONDS and HOSTILE_SEED set their duration and selection.
import { setTimeout as sleep } from 'node:timers/promises';
import { type HostileAnswer, hostileRequests, sendHostile, targetsOf } from '../test/support/hostile.ts';
import { startFixture } from './fixture.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_121);
const LANES = 10;
const BYSTANDER_PAUSE_MS = 5;

const fixture = await startFixture(2);
const { url, unlimitedKey, members } = fixture;
const [bystander, attacker] = members.map(({ token }) => ({
  'x-api-key': unlimitedKey,
  authorization: `Bearer ${token}`,
}));

/** Returns the durations of the bystander's requests, one after the other, until `isOver`. */
async function watch(isOver: () => boolean): Promise<number[]> {
  const latenciesMs: number[] = [];
  while (!isOver()) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/v1/wallets/balance`, {
      headers: bystander as Record<string, string>,
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the bystander was answered ${response.status}`);
    latenciesMs.push(performance.now() - startedMs);
    await sleep(BYSTANDER_PAUSE_MS);
  }
  return latenciesMs.toSorted((a, b) => a - b);
}

function print(what: string, latenciesMs: number[]): void {
  const at = (part: number) => (latenciesMs[Math.floor(latenciesMs.length * part)] ?? 0).toFixed(1);
  console.log(
    `${what}: ${latenciesMs.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(0.9999)} ms`,
  );
}

/** Runs the attack beside the bystander. */
async function attacked(): Promise<{ latenciesMs: number[]; answers: HostileAnswer[] }> {
  const lines = Object.entries(attacker as object).map(([name, value]) => `${name}: ${value}`);
  const requests = hostileRequests(SEED, await targetsOf(url), [[], lines.slice(0, 1), lines]);
  const answers: HostileAnswer[] = [];
  const endsMs = performance.now() + SECONDS * 1000;
  const isOver = () => performance.now() >= endsMs;
  const lane = async () => {
    while (!isOver()) answers.push(await sendHostile(url, requests.next().value));
  };
  const [latenciesMs] = await Promise.all([watch(isOver), ...Array.from({ length: LANES }, lane)]);
  return { latenciesMs: latenciesMs as number[], answers };
}

try {
  const quietEndsMs = performance.now() + 5_000;
  print('alone', await watch(() => performance.now() >= quietEndsMs));
  const { latenciesMs, answers } = await attacked();
  print(`beside ${Math.round(answers.length / SECONDS)} hostile requests a second`, latenciesMs);
  const faults = answers.filter(({ fault }) => fault !== undefined);
  console.log(`${answers.length} hostile requests, ${faults.length} answered wrongly`);
  for (const { what, fault } of faults.slice(0, 5)) console.log(`  ${what}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await fixture.stop();
}
