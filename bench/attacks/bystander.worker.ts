// A bystander on a separate thread, so that the cost of the attackers in their process does not affect the measurement.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Headers } from './stage.ts';

const PAUSE_MS = 5;

interface Watching {
  url: string;
  headers: Headers;
  seconds: number;
}

const { url, headers, seconds } = workerData as Watching;
const latenciesMs: number[] = [];
for (const endsMs = performance.now() + seconds * 1000; performance.now() < endsMs; await sleep(PAUSE_MS)) {
  const startedMs = performance.now();
  const response = await fetch(`${url}/v1/wallets/balance`, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the bystander was answered ${response.status}`);
  latenciesMs.push(performance.now() - startedMs);
}
parentPort?.postMessage(latenciesMs.toSorted((a, b) => a - b));
