import type { Command } from './area.ts';

/**
 * Returns the shortest history it finds, before a deadline, that still fails: leaves out ever smaller parts (delta
 * debugging). Where a failure depends on who comes first, a part may be kept that matters only sometimes.
 * @param fails plays a history, as often as it takes to be fairly sure
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
