import type { ObjectId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import { type Clock, DAY_MS } from '../../kernel/time.ts';
import { localDate, startOfDay } from '../../kernel/zones.ts';
import type { Measures, MemberFigures } from './contract.ts';
import type { OwnEvent, OwnStore } from './own.store.ts';

const MAX_COMMON_EVENTS = 10;

const NOTHING: MemberFigures = {
  engagement: { posts: 0, comments: 0, reactions: 0 },
  trading: { trades: 0, winRate: 0 },
  education: { coursesEnrolled: 0, lessonsCompleted: 0 },
};

/** A member's events of one day. */
export interface DayOfActivity {
  /** `YYYY-MM-DD`, in the time zone asked for. */
  date: string;
  events: number;
  breakdown: Record<string, number>;
}

export interface OwnStatistics extends MemberFigures {
  totalEvents: number;
  eventsThisWeek: number;
  eventsThisMonth: number;
  mostCommonEvents: { eventName: string; count: number }[];
}

interface OwnDeps {
  store: OwnStore;
  /** Other modules' figures of a member; available once all modules are made. */
  measures: () => Measures[];
  clock: Clock;
}

/** Members' views of their own events. */
export function ownRules({ store, measures, clock }: OwnDeps) {
  return {
    pageOf: (
      userId: ObjectId,
      filter: Parameters<OwnStore['pageOf']>[1],
      request: PageRequest,
    ): Promise<Page<OwnEvent>> => store.pageOf(userId, filter, request),

    /** Returns the local days with events among the last `days` days, oldest first. */
    async activity(userId: ObjectId, days: number, timezone: string): Promise<DayOfActivity[]> {
      // Up to tomorrow, where events may lie a few minutes ahead of the clock.
      const starts = Array.from({ length: days + 1 }, (_, place) =>
        startOfDay(clock.date(), timezone, place + 1 - days),
      );
      const counted = await store.byDay(userId, starts);
      return [...Map.groupBy(counted, ({ day }) => day)].map(([day, ofDay]) => ({
        date: localDate(starts[day] as Date, timezone),
        events: ofDay.reduce((sum, { count }) => sum + count, 0),
        breakdown: Object.fromEntries(ofDay.map(({ eventName, count }) => [eventName, count])),
      }));
    },

    async statistics(userId: ObjectId): Promise<OwnStatistics> {
      const since = (days: number) => new Date(clock.now() - days * DAY_MS);
      const [counts, mostCommonEvents, figures] = await Promise.all([
        store.counts(userId, since(7), since(30)),
        store.mostCommon(userId, MAX_COMMON_EVENTS),
        Promise.all(measures().map(({ ofMember }) => ofMember?.(userId))),
      ]);
      return {
        totalEvents: counts.total,
        eventsThisWeek: counts.week,
        eventsThisMonth: counts.month,
        mostCommonEvents,
        ...NOTHING,
        ...Object.assign({}, ...figures),
      };
    },
  };
}

export type OwnRules = ReturnType<typeof ownRules>;
