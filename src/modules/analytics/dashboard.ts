import type { Queries } from '../../kernel/database/queries.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { Measures, PlatformFigures } from './contract.ts';
import type { Counted, EventFilter } from './counts.store.ts';
import { percentOf } from './funnel.ts';
import type { AskQuestion } from './questions.ts';
import { PERIODS, type Period } from './reports.schemas.ts';
import type { ReportStore } from './reports.store.ts';
import { MAX_AHEAD_MS } from './tracking.model.ts';
import type { Span } from './visits.store.ts';
import { visitsBetween } from './visits.ts';

interface DashboardDeps {
  store: ReportStore;
  ask: AskQuestion;
  /** Contributions of the other modules; available once all modules are made. */
  measures: () => Measures[];
  clock: Clock;
}

/** Sums counts of one source under names. */
const summer = (counts: Counted[], source: Counted['source']) => {
  const of = (what: 'events' | 'cents', ...names: string[]): number =>
    counts
      .filter((one) => one.source === source && names.includes(one.name))
      .reduce((sum, one) => sum + one[what], 0);
  return {
    events: (...names: string[]) => of('events', ...names),
    cents: (...names: string[]) => of('cents', ...names),
  };
};

/** The figures of a period (part 2, dashboard). Platform figures come from facts, never from clients. */
export function dashboardRules({ store, ask, measures, clock }: DashboardDeps) {
  const membersOf = async (queries: Queries, filter: EventFilter, span: Span): Promise<number> =>
    store.members.between(queries, await store.members.crowdOf(queries, filter), span);

  async function figuresOf(queries: Queries, span: Span) {
    // Other modules answer on other connections, and those on this one follow each other without a pause.
    const [counts, activeUsers, uniqueVisitors, { visits, seconds }, ...known] = await Promise.all([
      store.counts.byName(queries, { source: 'all' }, span),
      membersOf(queries, { source: 'client' }, span),
      membersOf(queries, { source: 'client', eventName: 'page.view' }, span),
      visitsBetween(queries, span),
      ...measures().map(({ between }) => between?.(span.from, span.to)),
    ]);
    const { totalUsers, newUsers, watchSeconds }: PlatformFigures = Object.assign(
      { totalUsers: 0, newUsers: 0, watchSeconds: 0 },
      ...known,
    );
    const platform = summer(counts, 'platform');
    const tradesWon = platform.events('trade.won');
    return {
      overview: {
        totalUsers,
        activeUsers,
        newUsers,
        totalRevenue: platform.cents('payment.completed', 'payment.reversed') / 100,
      },
      traffic: {
        pageViews: summer(counts, 'client').events('page.view'),
        uniqueVisitors,
        averageSessionDuration: visits === 0 ? 0 : Math.round(seconds / visits),
      },
      engagement: {
        postsCreated: platform.events('post.created'),
        commentsPosted: platform.events('comment.created'),
        reactionsGiven: platform.events('reaction.given'),
      },
      trading: {
        tradesCreated: platform.events('trade.created'),
        tradesWon,
        winRate: percentOf(tradesWon, platform.events('trade.won', 'trade.lost', 'trade.even')),
      },
      education: {
        coursesCompleted: platform.events('course.completed'),
        lessonsWatched: platform.events('lesson.completed'),
        totalWatchTime: watchSeconds,
      },
    };
  }

  return {
    /** Returns the figures of the period and those of the preceding period of equal length. */
    async of(period: Period, gone: AbortSignal) {
      const [current, previous] = await ask(
        `dashboard ${period}`,
        async (queries) => {
          // Clients' clocks may be a little ahead.
          const to = new Date(clock.now() + MAX_AHEAD_MS + 1);
          const from = new Date(clock.now() - PERIODS[period] * DAY_MS);
          const before = new Date(from.getTime() - PERIODS[period] * DAY_MS);
          return Promise.all([
            figuresOf(queries, { from, to }),
            figuresOf(queries, { from: before, to: from }),
          ]);
        },
        gone,
      );
      return { ...current, previous };
    },
  };
}

export type DashboardRules = ReturnType<typeof dashboardRules>;
