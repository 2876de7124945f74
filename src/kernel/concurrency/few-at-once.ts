/**
 * Returns a function that runs work, at most `most` at once for each key; further work of the key waits in order. Work
 * that waits holds nothing but itself.
 */
export function fewAtOnce(most: number) {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();

  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.running < most) lane.running++;
    // The place is handed over, so that nobody takes it in between.
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next) next();
      else if (--lane.running === 0) lanes.delete(key);
    }
  };
}
