import { Session } from 'node:inspector/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A range of a source and whether it ran. The innermost range around a position decides whether the position ran. */
type Range = [start: number, end: number, ran: boolean];

/** What a test file runs: its duration, and the ranges of each source of which it called a function. */
export interface Reached {
  ms: number;
  ranges: Record<string, Range[]>;
}

/** Starts measuring coverage in this process; each call returns what ran since the previous call. */
export async function measuring(sources: string[]): Promise<() => Promise<Reached['ranges']>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const wanted = new Set(sources);
  // What runs as the modules load runs once for all test files, like their top level.
  for (const source of sources) await import(pathToFileURL(resolve(source)).href);
  const loading = await session.post('Profiler.takePreciseCoverage');
  const keyOf = (url: string, start: number | undefined): string => `${url} ${start}`;
  const atLoad = new Set(
    loading.result.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges }) => ranges[0]?.count)
        .map(({ ranges }) => keyOf(url, ranges[0]?.startOffset)),
    ),
  );
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const found: Reached['ranges'] = {};
    for (const { url, functions } of result) {
      const file = url.startsWith('file:') ? relative('.', fileURLToPath(url)) : '';
      const inner = functions.filter(({ ranges }) => !atLoad.has(keyOf(url, ranges[0]?.startOffset)));
      if (!wanted.has(file) || !inner.some(({ ranges }) => ranges[0]?.count)) continue;
      found[file] = inner.flatMap(({ ranges }) =>
        ranges.map(({ startOffset, endOffset, count }): Range => [startOffset, endOffset, count > 0]),
      );
    }
    return found;
  };
}

/** Whether a test file runs this position. Code outside of functions counts as run with any function of its file. */
export function reaches({ ranges }: Reached, file: string, place: number): boolean {
  const around = ranges[file]?.filter(([start, end]) => start <= place && place < end);
  if (!around) return false;
  const innermost = around.reduce<Range | undefined>(
    (best, one) => (best && best[1] - best[0] <= one[1] - one[0] ? best : one),
    undefined,
  );
  return innermost?.[2] ?? true;
}
