import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Core } from '../../../kernel/core.ts';
import { rollCall } from '../../../kernel/distributed/roll-call.ts';
import type { SystemBoard, SystemState } from '../../../kernel/net/system-board.ts';
import type { ThisProcess } from '../contract.ts';

/** The lag of a process is that of the last period or two. */
const PERIOD_MS = 10_000;
const NANOSECONDS = 1e6;

interface ProcessDeps extends Pick<Core, 'bus' | 'node' | 'clock'> {
  process: ThisProcess;
  systems: SystemBoard;
  /** Returns the optional dependencies that this process cannot reach. */
  degraded: () => string[];
}

/** A process's report of its own state. */
export interface ProcessState {
  id: string;
  role: ThisProcess['role'];
  version: string;
  startedAt: Date;
  lagMs: number;
  memoryBytes: number;
  draining: boolean;
  degraded: string[];
  systems: SystemState[];
}

/** The processes of the installation, each as it describes itself. */
export function processRules({ bus, node, clock, process: own, systems, degraded }: ProcessDeps) {
  const startedAt = clock.date();
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined;
  let lastLag = 0;
  let timer: NodeJS.Timeout | undefined;

  function lagMs(): number {
    const current = histogram && histogram.count > 0 ? histogram.percentile(99) / NANOSECONDS : 0;
    return Math.round(Math.max(current, lastLag) * 10) / 10;
  }
  const describe = (): ProcessState => ({
    id: node,
    role: own.role,
    version: own.version,
    startedAt,
    lagMs: lagMs(),
    memoryBytes: process.memoryUsage.rss(),
    draining: own.isDraining(),
    degraded: degraded(),
    systems: systems.states(),
  });
  const calls = rollCall<null, ProcessState>({
    bus,
    node,
    name: 'administration:processes',
    answer: describe,
  });

  return {
    async start(): Promise<void> {
      histogram = monitorEventLoopDelay();
      histogram.enable();
      timer = setInterval(() => {
        lastLag = (histogram?.percentile(99) ?? 0) / NANOSECONDS;
        histogram?.reset();
      }, PERIOD_MS).unref();
      await calls.start();
    },
    stop(): void {
      clearInterval(timer);
      histogram?.disable();
    },
    /** Returns the processes that answer, this one first. */
    all: async (): Promise<ProcessState[]> => (await calls.ask(null)).map(revived),
  };
}

export type ProcessRules = ReturnType<typeof processRules>;

/** Times come as texts from other processes. */
const revived = (state: ProcessState): ProcessState => ({
  ...state,
  startedAt: new Date(state.startedAt),
  systems: state.systems.map((one) => ({
    ...one,
    since: dateOf(one.since),
    lastErrorAt: dateOf(one.lastErrorAt),
    seenAt: dateOf(one.seenAt),
  })),
});

const dateOf = (at: Date | null): Date | null => (at === null ? null : new Date(at));
