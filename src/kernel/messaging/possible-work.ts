import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './jobs.ts';

/** How often a worker looks whether it has got what the jobs of a queue need. */
const POLL_MS = 5_000;

/**
 * Begins the work on a queue once this process has what its jobs need: at once, or in the background.
 * @param end gives up
 */
export async function beginWhenPossible(
  one: Job,
  begin: (one: Job) => Promise<void>,
  { end, onError }: { end: AbortSignal; onError: (error: Error) => void },
): Promise<void> {
  const isPossible = one.isPossible ?? (() => true);
  if (isPossible()) return begin(one);
  const waitAndBegin = async (): Promise<void> => {
    while (!isPossible()) {
      await sleep(POLL_MS, undefined, { signal: end, ref: false }).catch(() => undefined);
      if (end.aborted) return;
    }
    await begin(one);
  };
  void waitAndBegin().catch(onError);
}
