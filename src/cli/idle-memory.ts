import { Session } from 'node:inspector/promises';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const EVERY_MS = 30_000;
/**
 * The part of the time in which an idle process works: it looks for jobs and events. More means that it has requests, some
 * of which the collection would hold up for a fifth of a second.
 */
const MOST_BUSY = 0.03;
const MB = 1024 * 1024;
/** What a collection must promise to give back. */
const LEAST_GAIN_BYTES = 32 * MB;
/** A collection stops the process for some 2 ms for each megabyte of the heap that is in use. */
const MOST_USED_BYTES = 128 * MB;

/** What is known of the process, and how to collect its garbage. */
interface Process {
  /** The part of the time since the last call in which it worked. */
  busy: () => number;
  memory: () => Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed'>;
  collect: () => Promise<void>;
}

/**
 * Returns a function to be called every half minute, which gives memory back to the system that an idle process keeps: the
 * start fills 60 MB of young generation. V8's own reducer of memory never runs in Node 24, since it takes the unused heap
 * for objects of C++ for a busy one (`--trace-memory-reducer`, `--trace-mutator-utilization`).
 */
export function idleTrimmer({ busy, memory, collect }: Process): () => Promise<void> {
  let leastBytes = 0;
  return async () => {
    const { rss, heapUsed } = memory();
    if (busy() > MOST_BUSY || heapUsed > MOST_USED_BYTES || rss < leastBytes + LEAST_GAIN_BYTES) return;
    try {
      await collect();
    } catch {
      // Node was started so that programs may not inspect it. That is no reason to end the process, nor to try again and again.
      leastBytes = Number.POSITIVE_INFINITY;
      return;
    }
    leastBytes = memory().rss;
  };
}

/** Has this process give back memory whenever it has been idle for half a minute. */
export function trimWhenIdle(): void {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  const trim = idleTrimmer({
    busy: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    memory: process.memoryUsage,
    collect: collectGarbage,
  });
  setInterval(trim, EVERY_MS).unref();
}

async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
