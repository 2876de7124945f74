import { now } from './api.ts';
import { type Query, useQuery } from './query.ts';

export interface Point {
  period: string;
  count: number;
  uniqueUsers: number;
}

const DAY_MS = 86_400_000;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface SeriesOptions {
  days: number;
  source: 'client' | 'platform' | 'all';
  eventName?: string | undefined;
  eventType?: string | undefined;
}

/** The events of each of the last days in the viewer's time zone; days without events have 0. */
export function useSeries({ days, source, eventName, eventType }: SeriesOptions): Query<Point[]> {
  return useQuery(JSON.stringify([days, source, eventName, eventType]), async (by, signal) => {
    const end = now();
    const rows = await by.analytics.aggregateEvents(
      {
        groupBy: 'day',
        source,
        timezone: zone,
        startDate: new Date(end - (days - 1) * DAY_MS).toISOString(),
        ...(eventName ? { eventName } : {}),
        ...(eventType ? { eventType } : {}),
      },
      { signal },
    );
    return Array.from({ length: days }, (_none, place) => {
      const period = dateOf.format(end - (days - 1 - place) * DAY_MS);
      return rows.find((row) => row.period === period) ?? { period, count: 0, uniqueUsers: 0 };
    });
  });
}

/** The label of each point's day, such as "24 Oct". */
export const daysOf = (points: Point[]): string[] =>
  points.map(({ period }) => dayLabel.format(Date.parse(period)));
