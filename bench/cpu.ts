import { readFileSync } from 'node:fs';
import type { LoadResult } from './load.ts';

const TICK_MS = 10;
/** `load` warms up for two seconds at about the rate that it measures. */
const WARM_UP_SECONDS = 2;

/** User and system time that a process has taken (Linux). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') as string[];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Microseconds of CPU that a process takes for a request of this load. */
export async function cpuOf(pid: number, run: () => Promise<LoadResult>): Promise<number> {
  const before = cpuMs(pid);
  const startedAt = performance.now();
  const { perSecond } = await run();
  const measuredSeconds = (performance.now() - startedAt) / 1000 - WARM_UP_SECONDS;
  return ((cpuMs(pid) - before) * 1000) / (perSecond * (measuredSeconds + WARM_UP_SECONDS));
}
