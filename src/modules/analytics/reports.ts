import type { Queries } from '../../kernel/database/queries.ts';
import { csvLine } from '../../kernel/text/csv.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { localDate, startOfDay, startOfWeek } from '../../kernel/time/zones.ts';
import type { EventFilter } from './counts.store.ts';
import { type Funnel, funnelOf } from './funnel.ts';
import { type FunnelQuestion, funnelDepths } from './funnel-query.ts';
import type { Source } from './names.model.ts';
import type { ReportStore } from './reports.store.ts';
import type { RunQuery } from './shared-queries.ts';
import type { Span } from './spans.model.ts';
import { MAX_AHEAD_MS } from './tracking.model.ts';

type GroupBy = 'day' | 'week' | 'month';

export interface AggregateQuestion extends EventFilter, Span {
  groupBy: GroupBy;
  timezone: string;
}

export interface AggregateRow {
  period: string;
  eventType?: string;
  eventName?: string;
  count: number;
  uniqueUsers: number;
}

/** Maximum number of types and names in a report. */
export const MAX_LISTED = 1_000;

interface ReportDeps {
  store: ReportStore;
  ask: RunQuery;
  clock: Clock;
}

/** Returns the start of the period that contains an instant, and the start of the next period. */
function boundsOf(at: Date, groupBy: GroupBy, zone: string): Span {
  if (groupBy === 'day') return { from: startOfDay(at, zone), to: startOfDay(at, zone, 1) };
  if (groupBy === 'week') return { from: startOfWeek(at, zone), to: startOfWeek(at, zone, 1) };
  const [year, month] = localDate(at, zone).split('-').map(Number) as [number, number];
  // The fifteenth of a month is in that month in every time zone.
  const firstOf = (place: number): Date => {
    const middle = new Date(Date.UTC(year, month - 1 + place, 15, 12));
    return startOfDay(middle, zone, 1 - Number(localDate(middle, zone).slice(8)));
  };
  return { from: firstOf(0), to: firstOf(1) };
}

/**
 * Returns the local periods that overlap a span, in order. Computed here, because the database may have other rules for
 * time zones.
 */
function periodsIn({ from, to }: Span, groupBy: GroupBy, zone: string): Span[] {
  const periods: Span[] = [];
  for (let at = from; at < to; ) {
    const period = boundsOf(at, groupBy, zone);
    periods.push(period);
    at = period.to;
  }
  return periods;
}

const overlap = (a: Span, b: Span): Span => ({
  from: a.from > b.from ? a.from : b.from,
  to: a.to < b.to ? a.to : b.to,
});

export function reportRules({ store, ask, clock }: ReportDeps) {
  /** Counts the members of each period, restricted to the span. */
  async function membersOf(
    queries: Queries,
    { from, to, timezone, ...filter }: AggregateQuestion,
    periods: Span[],
  ): Promise<number[]> {
    const crowd = await store.members.selectionOf(queries, filter);
    // There are no later events, so a period that extends into the future counts as complete.
    const last = clock.now() + MAX_AHEAD_MS < to.getTime() ? Infinity : to.getTime();
    const isCut = (period: Span): boolean => period.from < from || period.to.getTime() > last;
    const whole = periods.filter((period) => !isCut(period));
    const counts = await store.members.ofPeriods(queries, crowd, whole, timezone === 'UTC');
    const members: number[] = [];
    for (const period of periods) {
      const cut = {
        from: period.from < from ? from : period.from,
        to: period.to.getTime() > last ? to : period.to,
      };
      members.push(
        isCut(period)
          ? await store.members.between(queries, crowd, cut)
          : (counts[whole.indexOf(period)] as number),
      );
    }
    return members;
  }

  async function aggregate(question: AggregateQuestion, disconnected: AbortSignal): Promise<AggregateRow[]> {
    const { eventName, eventType, groupBy, timezone } = question;
    const counts = await ask(
      `aggregate ${JSON.stringify(question)}`,
      async (queries) => {
        const counted = await store.counts.countedSpan(queries);
        const all = counted ? periodsIn(overlap(question, counted), groupBy, timezone) : [];
        if (all.length === 0) return [];
        const starts = all.map(({ from }) => from);
        const rows = await store.counts.byPeriod(queries, question, starts, timezone === 'UTC');
        const periods = rows.map(({ place }) => all[place] as Span);
        const members = await membersOf(queries, question, periods);
        return rows.map(({ events }, place) => ({
          from: (periods[place] as Span).from,
          events,
          members: members[place] as number,
        }));
      },
      disconnected,
    );
    return counts.map(({ from, events, members }) => ({
      period: localDate(from, timezone).slice(0, groupBy === 'month' ? 7 : 10),
      ...(eventType === undefined ? {} : { eventType }),
      ...(eventName === undefined ? {} : { eventName }),
      count: events,
      uniqueUsers: members,
    }));
  }

  return {
    aggregate,

    /** Returns the aggregate as lines of CSV. */
    async *aggregateCsv(question: AggregateQuestion, disconnected: AbortSignal): AsyncGenerator<string> {
      const rows = await aggregate(question, disconnected);
      yield csvLine('period', 'eventType', 'eventName', 'count', 'uniqueUsers');
      for (const { period, eventType, eventName, count, uniqueUsers } of rows)
        yield csvLine(period, eventType, eventName, count, uniqueUsers);
    },

    async funnel(question: FunnelQuestion, disconnected: AbortSignal): Promise<Funnel> {
      const depths = await ask(
        `funnel ${JSON.stringify(question)}`,
        (queries, signal) => funnelDepths(queries, question, signal),
        disconnected,
      );
      return funnelOf(question.eventSequence.length, depths);
    },

    async types(source: Source): Promise<{ eventType: string; count: number }[]> {
      const rows = await store.byType(source, MAX_LISTED);
      return rows.map(({ label, count }) => ({ eventType: label, count }));
    },

    async popular(source: Source): Promise<{ eventName: string; count: number }[]> {
      const rows = await store.byName(source, MAX_LISTED);
      return rows.map(({ label, count }) => ({ eventName: label, count }));
    },

    /** Returns events as lines of CSV, oldest first; events that arrive during the export are omitted. */
    async *eventsCsv(
      filter: EventFilter,
      { from, to }: Partial<Span>,
      disconnected: AbortSignal,
    ): AsyncGenerator<string> {
      const until = to ?? new Date(clock.now() + DAY_MS);
      yield csvLine('id', 'userId', 'eventName', 'eventType', 'source', 'timestamp', 'metadata');
      for await (const events of store.eventsOf(
        filter,
        { from: from ?? new Date(0), to: until },
        disconnected,
      ))
        yield events
          .map((event) =>
            csvLine(
              event.id,
              event.userId,
              event.eventName,
              event.eventType,
              event.source,
              event.timestamp,
              event.metadata,
            ),
          )
          .join('');
    },
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
