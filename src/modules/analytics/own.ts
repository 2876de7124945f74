import type { LaneQueries } from '../../kernel/database/lanes.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import { tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import { localDate, startOfDay } from '../../kernel/time/zones.ts';
import type { Figures } from './contract.ts';
import { valuesOf } from './figures.ts';
import type { OwnEvent, OwnFilter } from './own.model.ts';
import type { OwnStore } from './own.store.ts';
import type { Span } from './spans.model.ts';
import { NEVER } from './spans.ts';

const MAX_COMMON_EVENTS = 10;

/** A member's events of one day. */
export interface DayOfActivity {
  /** `YYYY-MM-DD`, in the requested time zone. */
  date: string;
  events: number;
  breakdown: Record<string, number>;
}

interface OwnCounts {
  totalEvents: number;
  eventsThisWeek: number;
  eventsThisMonth: number;
  mostCommonEvents: { eventName: string; count: number }[];
}
const NO_EVENTS: OwnCounts = { totalEvents: 0, eventsThisWeek: 0, eventsThisMonth: 0, mostCommonEvents: [] };

export type OwnStatistics = OwnCounts & Record<string, unknown>;

interface OwnDeps {
  store: OwnStore;
  /** Runs queries on separate connections: members decide how much they store and how often they query it. */
  lane: Pick<LaneQueries, 'run'>;
  /** The contributions of the other modules. */
  contributed: Figures<ObjectId>[];
  clock: Clock;
}

/** Maximum number of running or waiting queries of one member in each process. */
const MAX_AT_ONCE = 4;
export const tooManyQuestions = () => tooManyRequests('TOO_MANY_QUESTIONS', 1);

/** Members' views of their own events. */
export function ownRules({ store, lane, contributed, clock }: OwnDeps) {
  const reading = new Map<ObjectId, number>();

  /** Runs a query about a member, identified by number; returns the fallback for a member without events. */
  async function read<T>(
    userId: ObjectId,
    nothing: T,
    disconnected: AbortSignal,
    work: (queries: Queries, person: number) => Promise<T>,
  ): Promise<T> {
    const others = reading.get(userId) ?? 0;
    if (others >= MAX_AT_ONCE) throw tooManyQuestions();
    reading.set(userId, others + 1);
    try {
      return await lane.run(async (queries) => {
        const person = await store.numberOf(queries, userId);
        return person === undefined ? nothing : work(queries, person);
      }, disconnected);
    } finally {
      const left = (reading.get(userId) ?? 1) - 1;
      if (left === 0) reading.delete(userId);
      else reading.set(userId, left);
    }
  }

  return {
    /** @throws tooManyQuestions, 503, clientDisconnected */
    pageOf: (
      userId: ObjectId,
      filter: OwnFilter,
      request: PageRequest,
      disconnected: AbortSignal,
    ): Promise<Page<OwnEvent>> =>
      read<Page<OwnEvent>>(userId, { ...request, items: [], total: 0 }, disconnected, (queries, person) =>
        store.pageOf(queries, { person, userId }, filter, request),
      ),

    /**
     * Returns the local days with events among the last `days` days, oldest first.
     * @throws tooManyQuestions, 503, clientDisconnected
     */
    async activity(
      userId: ObjectId,
      days: number,
      timezone: string,
      disconnected: AbortSignal,
    ): Promise<DayOfActivity[]> {
      // Until the end of tomorrow, because events may be a few minutes ahead of the clock.
      const starts = Array.from({ length: days + 1 }, (_, place) =>
        startOfDay(clock.date(), timezone, place + 1 - days),
      );
      const areDays = starts.every((start) => start.getTime() % DAY_MS === 0);
      const counted = await read<Awaited<ReturnType<OwnStore['byDay']>>>(
        userId,
        [],
        disconnected,
        (queries, person) => store.byDay(queries, person, starts, areDays),
      );
      return [...Map.groupBy(counted, ({ day }) => day)].map(([day, ofDay]) => ({
        date: localDate(starts[day] as Date, timezone),
        events: ofDay.reduce((sum, { count }) => sum + count, 0),
        breakdown: Object.fromEntries(ofDay.map(({ eventName, count }) => [eventName, count])),
      }));
    },

    /** @throws tooManyQuestions, 503, clientDisconnected */
    async statistics(userId: ObjectId, disconnected: AbortSignal): Promise<OwnStatistics> {
      const last = (days: number): Span => ({ from: new Date(clock.now() - days * DAY_MS), to: NEVER });
      const [counts, figures] = await Promise.all([
        read<OwnCounts>(userId, NO_EVENTS, disconnected, async (queries, person) => ({
          totalEvents: await store.total(queries, person),
          eventsThisWeek: await store.count(queries, person, last(7)),
          eventsThisMonth: await store.count(queries, person, last(30)),
          mostCommonEvents: await store.mostCommon(queries, person, MAX_COMMON_EVENTS),
        })),
        valuesOf(contributed, userId),
      ]);
      return { ...counts, ...figures };
    },
  };
}

export type OwnRules = ReturnType<typeof ownRules>;
