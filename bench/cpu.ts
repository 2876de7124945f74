import { readFileSync } from 'node:fs';
import type { LoadResult } from './load.ts';

const TICK_US = 10_000;
/** `load` warms up for two seconds, at about the measured rate. */
const WARM_UP_SECONDS = 2;

/** Returns the fields of a process in /proc after its name, from its state on; undefined if it has ended (Linux). */
function fieldsOf(pid: number | string): number[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number);
  } catch {
    return undefined;
  }
}

/** Returns the user and system time of a process, in microseconds. */
export function cpuUs(pid: number): number {
  const fields = fieldsOf(pid) ?? [];
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) * TICK_US;
}

/** Like {@link cpuUs}, including its children that have ended. */
export function cpuWithEndedUs(pid: number): number {
  const fields = fieldsOf(pid) ?? [];
  return cpuUs(pid) + ((fields[13] ?? 0) + (fields[14] ?? 0)) * TICK_US;
}

/** Like {@link cpuUs}, including its running children: a whole PostgreSQL by its postmaster. */
export function cpuWithChildrenUs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return cpuWithEndedUs(pid) + children.reduce((sum, child) => sum + cpuUs(Number(child)), 0);
}

/** Returns the microseconds of CPU that a process uses per request of this load. */
export async function cpuOf(pid: number, run: () => Promise<LoadResult>): Promise<number> {
  const before = cpuUs(pid);
  const startedAt = performance.now();
  const { perSecond } = await run();
  const measuredSeconds = (performance.now() - startedAt) / 1000 - WARM_UP_SECONDS;
  return (cpuUs(pid) - before) / (perSecond * (measuredSeconds + WARM_UP_SECONDS));
}

/** The cost of work, in seconds. */
export interface Cost {
  /** CPU of the process itself. */
  own: number;
  /** CPU of its children that ended meanwhile. */
  children: number;
  wall: number;
}

/** Returns what a process, and the programs that it runs to their end, use for this work. */
export async function costOf(pid: number, work: () => unknown): Promise<Cost> {
  const [own, all, startedAt] = [cpuUs(pid), cpuWithEndedUs(pid), performance.now()];
  await work();
  const ownUs = cpuUs(pid) - own;
  return {
    own: ownUs / 1e6,
    children: (cpuWithEndedUs(pid) - all - ownUs) / 1e6,
    wall: (performance.now() - startedAt) / 1000,
  };
}
