import { percentOf } from './contract.ts';

/** A step of a funnel. */
interface FunnelStep {
  step: number;
  /** Members who reached this step. */
  count: number;
  /** Percentage of the members who performed the first step, 0 to 100. */
  percentage: number;
  /** Percentage of members at the previous step who did not reach this one; 0 for the first. */
  dropoff: number;
}

export interface Funnel {
  funnel: FunnelStep[];
  conversionRate: number;
  totalUsers: number;
}

/** Builds a funnel from the number of members by furthest step. */
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
