import type { Command } from './area.ts';

/**
 * Shortens a failing history by leaving out ever smaller parts (delta debugging), until the deadline. If the failure
 * depends on the order of concurrent requests, unnecessary parts may remain.
 * @param fails plays a history, several times if that is needed to be fairly sure
 */
export async function shortest(
  history: Command[],
  fails: (candidate: Command[]) => Promise<boolean>,
  deadlineMs: number,
): Promise<Command[]> {
  let kept = history;
  for (let size = Math.ceil(kept.length / 2); ; ) {
    let isShorter = false;
    for (let start = 0; start < kept.length; ) {
      if (performance.now() > deadlineMs) return kept;
      const candidate = kept.toSpliced(start, size);
      if (candidate.length > 0 && (await fails(candidate))) {
        kept = candidate;
        isShorter = true;
      } else start += size;
    }
    if (size === 1 && !isShorter) return kept;
    if (size > 1) size = Math.ceil(size / 2);
  }
}
