import { now } from './api.ts';
import { type Query, useQuery } from './query.ts';

export interface Point {
  period: string;
  count: number;
  uniqueUsers: number;
}

const DAY_MS = 86_400_000;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface Asked {
  days: number;
  source: 'client' | 'platform' | 'all';
  eventName?: string | undefined;
  eventType?: string | undefined;
}

/** Events of each of the last days in the zone of the viewer; days without any are there with 0. */
export function useSeries({ days, source, eventName, eventType }: Asked): Query<Point[]> {
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
      const period = dayOf.format(end - (days - 1 - place) * DAY_MS);
      return rows.find((row) => row.period === period) ?? { period, count: 0, uniqueUsers: 0 };
    });
  });
}

/** "24 Oct" of each point. */
export const daysOf = (points: Point[]): string[] =>
  points.map(({ period }) => shown.format(Date.parse(period)));
