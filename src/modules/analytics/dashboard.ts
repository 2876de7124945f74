import type { Queries } from '../../kernel/database/queries.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { Figures, Period } from './contract.ts';
import type { Counted, EventFilter } from './counts.store.ts';
import { valuesOf } from './figures.ts';
import { PERIODS, type PeriodName } from './reports.schemas.ts';
import type { ReportStore } from './reports.store.ts';
import type { RunQuery } from './shared-queries.ts';
import type { Span } from './spans.model.ts';
import { MAX_AHEAD_MS } from './tracking.model.ts';
import { visitsBetween } from './visits.ts';

interface DashboardDeps {
  store: ReportStore;
  ask: RunQuery;
  /** The contributions of the other modules. */
  contributed: Figures<Period>[];
  clock: Clock;
}

/** Returns a function that sums the counts of one source for some names. */
const summing = (counts: Counted[], source: Counted['source']) => {
  const of = (what: 'events' | 'cents', ...names: string[]): number =>
    counts
      .filter((one) => one.source === source && names.includes(one.name))
      .reduce((sum, one) => sum + one[what], 0);
  return {
    count: (...names: string[]) => of('events', ...names),
    cents: (...names: string[]) => of('cents', ...names),
  };
};

/** The figures of a period of the dashboard. Platform figures come from facts, never from clients. */
export function dashboardRules({ store, ask, contributed, clock }: DashboardDeps) {
  const membersOf = async (queries: Queries, filter: EventFilter, span: Span): Promise<number> =>
    store.members.between(queries, await store.members.selectionOf(queries, filter), span);

  async function figuresOf(queries: Queries, span: Span) {
    const counts = await store.counts.byName(queries, { source: 'all' }, span);
    const facts = summing(counts, 'platform');
    // Figures of other modules use other connections; queries on this connection run one after the other.
    const [activeUsers, uniqueVisitors, { visits, seconds }, { overview, ...others }] = await Promise.all([
      membersOf(queries, { source: 'client' }, span),
      membersOf(queries, { source: 'client', eventName: 'page.view' }, span),
      visitsBetween(queries, span),
      valuesOf(contributed, { ...span, facts }),
    ]);
    return {
      overview: { activeUsers, ...overview },
      traffic: {
        pageViews: summing(counts, 'client').count('page.view'),
        uniqueVisitors,
        averageSessionDuration: visits === 0 ? 0 : Math.round(seconds / visits),
      },
      ...others,
    };
  }

  return {
    /** Returns the figures of the period and those of the preceding period of equal length. */
    async of(period: PeriodName, disconnected: AbortSignal) {
      const [current, previous] = await ask(
        `dashboard ${period}`,
        async (queries) => {
          // Includes events from clients whose clocks are slightly ahead.
          const to = new Date(clock.now() + MAX_AHEAD_MS + 1);
          const from = new Date(clock.now() - PERIODS[period] * DAY_MS);
          const before = new Date(from.getTime() - PERIODS[period] * DAY_MS);
          return Promise.all([
            figuresOf(queries, { from, to }),
            figuresOf(queries, { from: before, to: from }),
          ]);
        },
        disconnected,
      );
      return { ...current, previous };
    },
  };
}

export type DashboardRules = ReturnType<typeof dashboardRules>;
