/**
 * Returns a function that runs work with at most `limit` concurrent runs for each key. Further work for a key waits in
 * order and holds no resources meanwhile.
 */
export function limitPerKey(limit: number) {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();

  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    if (lane.running < limit) lane.running++;
    // The running count stays: the finished work passes its place to this one directly, so that no newcomer overtakes
    // it.
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
