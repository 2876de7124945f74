import { type Static, Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import {
  DateTime,
  InstantText,
  Metadata,
  mapOf,
  ObjectIdShape,
  periodQuery,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import type { Figures } from './contract.ts';
import { sectionShapes, TimeZone } from './reports.schemas.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS, SEEN_MS } from './tracking.model.ts';

export const MAX_BULK_EVENTS = 1_000;

export const EventDraft = Type.Object(
  {
    eventName: readableText(100, { examples: ['course.viewed'] }),
    eventType: readableText(50, { examples: ['education'] }),
    metadata: Type.Optional(Metadata),
    timestamp: Type.Optional({
      ...InstantText,
      description: `When the event happened; defaults to now. At most ${MAX_AGE_MS / DAY_MS} days ago. Times more than ${MAX_AHEAD_MS / MINUTE_MS} minutes ahead of the server clock are replaced by now`,
      examples: ['2026-11-21T09:30:00.000Z'],
    }),
    eventId: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
        patternMessage: 'must be a UUID',
        description: `An id that you choose. An event sent again with the same id within ${SEEN_MS / DAY_MS} days is counted once`,
        examples: ['0b8f6f4e-5f0e-4c55-9a53-3c0f6f2f2a11'],
      }),
    ),
  },
  { $id: 'EventDraft' },
);
export type EventDraft = Static<typeof EventDraft>;

export const EventShape = Type.Object(
  {
    id: ObjectIdShape,
    userId: ObjectIdShape,
    eventName: Type.String({ examples: ['course.viewed'] }),
    eventType: Type.String({ examples: ['education'] }),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    timestamp: DateTime,
  },
  { $id: 'AnalyticsEvent' },
);

export const Tracked = Type.Object({
  accepted: Type.Integer({ description: '1, or 0 if the event was sent before', examples: [1] }),
});

export const BulkTracked = Type.Object({
  accepted: Type.Integer({ examples: [3] }),
  duplicates: Type.Integer({ description: 'Events that were sent before', examples: [0] }),
});

const count = Type.Integer({ minimum: 0 });

const CommonEvent = Type.Object({ eventName: Type.String({ examples: ['course.viewed'] }), count });

export const statisticsShape = (contributed: Figures<ObjectId>[]) =>
  Type.Object(
    {
      totalEvents: count,
      eventsThisWeek: { ...count, description: 'In the last 7 days' },
      eventsThisMonth: { ...count, description: 'In the last 30 days' },
      mostCommonEvents: Type.Array(CommonEvent),
      ...sectionShapes(contributed),
    },
    { $id: 'OwnStatistics' },
  );

export const ActivityShape = Type.Array(
  Type.Object({
    date: Type.String({ format: 'date', examples: ['2026-11-21'] }),
    events: count,
    breakdown: mapOf(Type.Integer(), { examples: [{ 'page.view': 12 }] }),
  }),
);

export const TrackEventsBody = Type.Object({
  events: Type.Array(EventDraft, { minItems: 1, maxItems: MAX_BULK_EVENTS }),
});

export const ListOwnEventsQuery = Type.Object({
  ...momentQuery(['timestamp', 'id']),
  eventType: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  ...periodQuery,
});

export const GetOwnActivityQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 366,
    default: 30,
    description: 'Number of days, today included',
  }),
  timezone: TimeZone,
});
