import { Type } from 'typebox';
import { administrator } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation, Streamed } from '../../kernel/operations/operation.ts';
import { periodOf } from '../../kernel/operations/periods.ts';
import { inDigits } from '../../kernel/text/numbers.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { Figures, Period } from './contract.ts';
import type { DashboardRules } from './dashboard.ts';
import {
  AggregateQuery,
  AggregateShape,
  Counts,
  DashboardQuery,
  DEFAULT_FUNNEL_DAYS,
  dashboardShape,
  ExportQuery,
  FunnelBody,
  FunnelShape,
  ListEventTypesQuery,
  ListPopularEventsQuery,
  PERIODS,
} from './reports.schemas.ts';
import type { ReportRules } from './reports.ts';
import { MAX_LISTED } from './reports.ts';
import { NEVER, spanOf } from './spans.ts';

const tag = 'Analytics';
const CSV = 'text/csv; charset=utf-8';
interface ReportOperationDeps {
  reports: ReportRules;
  dashboard: DashboardRules;
  /** The contributions of the other modules to the dashboard. */
  contributed: Figures<Period>[];
  clock: Clock;
}

/** Operations for operators' reports. */
export const reportOperations = ({
  reports,
  dashboard,
  contributed,
  clock,
}: ReportOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/analytics/dashboard',
    id: 'getDashboard',
    tag,
    summary: 'Retrieve key figures of the platform',
    description: `Covers the last ${Object.values(PERIODS).join(', ')} days, as \`period\` says, together with the period of the same length before.`,
    access: administrator,
    query: DashboardQuery,
    success: ok(dashboardShape(contributed)),
    handle: ({ query, disconnected }) => dashboard.of(query.period, disconnected),
  }),
  operation({
    method: 'POST',
    path: '/v1/analytics/funnel',
    id: 'askFunnel',
    isReading: true,
    tag,
    summary: 'Analyse a funnel of events',
    description:
      'Counts the members who performed the events in order. Each step must occur after the previous one, and all of them within the window that begins with the first step. If a member took the first step more than once, the attempt that gets furthest counts.',
    access: administrator,
    isRepeatable: true,
    body: FunnelBody,
    success: ok(FunnelShape),
    handle: ({ body, disconnected }) => {
      const {
        eventSequence,
        windowSeconds = DEFAULT_FUNNEL_DAYS * 24 * 3600,
        source = 'client',
        ...dates
      } = body;
      const { from: first, to: last } = periodOf(dates);
      const end = last ? last.getTime() + 1 : clock.now();
      const from = first ?? new Date(end - DEFAULT_FUNNEL_DAYS * DAY_MS);
      // Without dates, events count whose clients' clocks are ahead.
      const to = new Date(last ? end : end + DAY_MS);
      const windowMs = windowSeconds * SECOND_MS;
      return reports.funnel({ eventSequence, source, from, to, windowMs }, disconnected);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/aggregate',
    id: 'aggregateEvents',
    tag,
    summary: 'Count events by day, week or month',
    description:
      'Periods without events are left out. Of periods that lie partly outside the dates, only the part within them is counted. Available as JSON or CSV.',
    access: administrator,
    query: AggregateQuery,
    success: ok(AggregateShape, { alsoAs: 'text/csv' }),
    handle: async ({ query: { startDate, endDate, format, ...filter }, disconnected }) => {
      const question = { ...filter, ...spanOf({ startDate, endDate }) };
      if (format === 'json') return reports.aggregate(question, disconnected);
      const chunks = reports.aggregateCsv(question, disconnected);
      return new Streamed({ kind: 'text', contentType: CSV, fileName: 'aggregate.csv', chunks });
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/events/types',
    id: 'listEventTypes',
    tag,
    summary: `List the ${inDigits(MAX_LISTED)} most frequent event types, most frequent first`,
    access: administrator,
    query: ListEventTypesQuery,
    success: ok(Counts('eventType')),
    handle: ({ query }) => reports.types(query.source),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/events/popular',
    id: 'listPopularEvents',
    tag,
    summary: `List the ${inDigits(MAX_LISTED)} most frequent event names, most frequent first`,
    access: administrator,
    query: ListPopularEventsQuery,
    success: ok(Counts('eventName')),
    handle: ({ query }) => reports.popular(query.source),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/events/export',
    id: 'exportEvents',
    tag,
    summary: 'Export events as CSV',
    description:
      'Lists events oldest first, with no limit on length. The user id is empty for deleted members.',
    access: administrator,
    query: ExportQuery,
    success: ok(Type.String(), { alsoAs: 'text/csv' }),
    handle: async ({ query: { startDate, endDate, ...filter }, disconnected }) => {
      const { from, to } = spanOf({ startDate, endDate });
      const chunks = reports.eventsCsv(filter, { from, ...(to === NEVER ? {} : { to }) }, disconnected);
      return new Streamed({ kind: 'text', contentType: CSV, fileName: 'events.csv', chunks });
    },
  }),
];
