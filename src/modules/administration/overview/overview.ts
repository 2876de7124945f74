import type { OverviewPart, Worklist } from '../contract.ts';
import type { ProcessRules } from '../health/processes.ts';

interface OverviewDeps {
  worklists: Worklist[];
  parts: OverviewPart[];
  processes: Pick<ProcessRules, 'all'>;
}

/** The overview that operators see first. */
export const overviewRules = ({ worklists, parts, processes }: OverviewDeps) => ({
  async read() {
    const [lists, others, all] = await Promise.all([
      Promise.all(worklists.map(async ({ name, read }) => ({ name, ...(await read()) }))),
      Promise.all(parts.map(async ({ name, read }) => [name, await read()] as const)),
      processes.all(),
    ]);
    const degraded = [...new Set(all.flatMap((one) => one.degraded))].sort();
    return { ...Object.fromEntries(others), worklists: lists, degraded };
  },
});

export type OverviewRules = ReturnType<typeof overviewRules>;
