import { type Static, type TObject, Type } from 'typebox';
import { InstantText, oneOf, periodQuery, readableText } from '../../kernel/operations/shapes.ts';
import { Count, type Figures, Percentage, type Period } from './contract.ts';
import { SOURCES } from './names.model.ts';
import { VISIT_GAP_MINUTES } from './spans.model.ts';

/** Number of days that the dashboard covers, by the name of the period. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
export type PeriodName = keyof typeof PERIODS;

/** Defaults for the period of a funnel, in days, and for its window. */
export const DEFAULT_FUNNEL_DAYS = 30;
const MAX_STEPS = 10;
const MAX_WINDOW_SECONDS = 400 * 24 * 3600;

export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 60,
  default: 'UTC',
  description: 'An IANA time zone; days, weeks and months begin at its midnight',
  examples: ['Europe/Warsaw'],
});
const SourceQuery = oneOf(SOURCES, {
  default: 'client',
  description:
    'Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it',
});
const count = Count;
const percent = Percentage;

export const DashboardQuery = Type.Object({
  period: oneOf(Object.keys(PERIODS) as PeriodName[], { default: '30d' }),
});

/** Returns the shapes of the sections that figures belong to. */
export const sectionShapes = (all: Pick<Figures<never>, 'section' | 'fields'>[]): Record<string, TObject> =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ section }) => section)].map(([section, ofSection]) => [
      section,
      Type.Object(Object.assign({}, ...ofSection.map(({ fields }) => fields))),
    ]),
  );

/** The dashboard sections of analytics itself. */
const OWN_FIGURES: Pick<Figures<never>, 'section' | 'fields'>[] = [
  {
    section: 'overview',
    fields: { activeUsers: { ...count, description: 'Members with an event in the period' } },
  },
  {
    section: 'traffic',
    fields: {
      pageViews: { ...count, description: 'Number of `page.view` events' },
      uniqueVisitors: { ...count, description: 'Members who viewed a page' },
      averageSessionDuration: {
        ...count,
        description: `Seconds from the first to the last event of a visit. A visit ends after ${VISIT_GAP_MINUTES} minutes without an event`,
      },
    },
  },
];

export const dashboardShape = (contributed: Figures<Period>[]) => {
  const sections = sectionShapes([...OWN_FIGURES, ...contributed]);
  return Type.Object(
    {
      ...sections,
      previous: Type.Object(sections, {
        description: 'The same figures for the preceding period of the same length',
      }),
    },
    { $id: 'Dashboard' },
  );
};

export const FunnelBody = Type.Object({
  eventSequence: Type.Array(readableText(100), {
    minItems: 1,
    maxItems: MAX_STEPS,
    description: 'Event names, in order. A name may occur more than once',
    examples: [['page.view', 'course.viewed', 'course.enrolled']],
  }),
  startDate: Type.Optional({
    ...InstantText,
    description: `Inclusive. Defaults to ${DEFAULT_FUNNEL_DAYS} days before the end`,
  }),
  endDate: Type.Optional({ ...InstantText, description: 'Inclusive. Defaults to now' }),
  windowSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_SECONDS,
      default: DEFAULT_FUNNEL_DAYS * 24 * 3600,
      description: 'Seconds after the first step within which a member must complete all steps',
    }),
  ),
  source: Type.Optional(SourceQuery),
});

export const FunnelShape = Type.Object(
  {
    funnel: Type.Array(
      Type.Object({
        step: Type.Integer({ minimum: 1, examples: [1] }),
        count: { ...count, description: 'Number of members who reached this step' },
        percentage: { ...percent, description: 'Share of the members who performed the first step' },
        dropoff: {
          ...percent,
          description: 'Share of the members who performed the previous step but not this one',
        },
      }),
    ),
    conversionRate: { ...percent, description: 'The percentage of the last step' },
    totalUsers: { ...count, description: 'Number of members who performed the first step' },
  },
  { $id: 'Funnel' },
);

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

export const AggregateQuery = Type.Object({
  groupBy: oneOf(['day', 'week', 'month'], { default: 'day' }),
  eventType: name,
  eventName: name,
  ...periodQuery,
  timezone: TimeZone,
  source: SourceQuery,
  format: oneOf(['json', 'csv'], { default: 'json' }),
});
export type AggregateQuery = Static<typeof AggregateQuery>;

export const AggregateShape = Type.Array(
  Type.Object({
    period: Type.String({
      description: 'The day, the Monday of the week, or the month as `2026-11`',
      examples: ['2026-11-16'],
    }),
    eventType: Type.Optional(Type.String({ description: 'The requested filter' })),
    eventName: Type.Optional(Type.String({ description: 'The requested filter' })),
    count,
    uniqueUsers: count,
  }),
);

export const ExportQuery = Type.Object({
  eventType: name,
  eventName: name,
  ...periodQuery,
  source: SourceQuery,
});

export const Counts = (label: 'eventType' | 'eventName') =>
  Type.Array(
    Type.Object(
      label === 'eventType' ? { eventType: Type.String(), count } : { eventName: Type.String(), count },
    ),
  );

export const ListEventTypesQuery = Type.Object({ source: SourceQuery });

export const ListPopularEventsQuery = Type.Object({ source: SourceQuery });
