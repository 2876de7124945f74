/** A step of a funnel (part 2). */
interface FunnelStep {
  step: number;
  /** Members who reached it. */
  count: number;
  /** Of those who did the first step, 0 to 100. */
  percentage: number;
  /** How many of those who reached the step before did not reach this one, in percent; 0 for the first. */
  dropoff: number;
}

export interface Funnel {
  funnel: FunnelStep[];
  conversionRate: number;
  totalUsers: number;
}

/** Returns a part of a whole in percent with two decimals; 0 of nothing. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;

/** Makes a funnel of how many members got how far. */
export function funnelOf(steps: number, depths: { depth: number; members: number }[]): Funnel {
  const counts = Array.from({ length: steps }, (_, place) =>
    depths.filter(({ depth }) => depth > place).reduce((sum, { members }) => sum + members, 0),
  );
  const [totalUsers = 0] = counts;
  const funnel = counts.map((count, place) => {
    const before = counts[place - 1] ?? count;
    const dropoff = percentOf(before - count, before);
    return { step: place + 1, count, percentage: percentOf(count, totalUsers), dropoff };
  });
  return { funnel, conversionRate: percentOf(counts.at(-1) ?? 0, totalUsers), totalUsers };
}
