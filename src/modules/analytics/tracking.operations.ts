import { member } from '../../kernel/operations/access.ts';
import {
  accepted,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import { periodOf } from '../../kernel/operations/periods.ts';
import { tooManyNames } from './names.ts';
import type { OwnRules } from './own.ts';
import {
  ActivityShape,
  BulkTracked,
  EventDraft,
  EventShape,
  GetOwnActivityQuery,
  ListOwnEventsQuery,
  MAX_BULK_EVENTS,
  StatisticsShape,
  TrackEventsBody,
  Tracked,
} from './tracking.schemas.ts';
import type { TrackingRules } from './tracking.ts';

const tag = 'Analytics';
/** Operations for tracking events and for members' own activity. */
export const trackingOperations = (tracking: TrackingRules, own: OwnRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/analytics/track',
    id: 'trackEvent',
    tag,
    summary: 'Tell of an event',
    description: 'Answered once the event is stored. An `eventId` of your own makes repeating safe.',
    access: member,
    body: EventDraft,
    success: accepted(Tracked, { message: 'Event accepted' }),
    failures: [tooManyNames],
    handle: ({ body, caller }) => tracking.track(body, caller.userId),
  }),
  operation({
    method: 'POST',
    path: '/v1/analytics/track/bulk',
    id: 'trackEvents',
    tag,
    summary: 'Tell of many events',
    description: `Up to ${MAX_BULK_EVENTS.toLocaleString('en-US')}, all of them or none; answered once they are stored.`,
    access: member,
    body: TrackEventsBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: accepted(BulkTracked, { message: 'Events accepted' }),
    failures: [tooManyNames],
    handle: ({ body, caller }) => tracking.trackAll(body.events, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/events',
    id: 'listOwnEvents',
    tag,
    summary: 'Your own events, newest first',
    access: member,
    query: ListOwnEventsQuery,
    success: pageOf(EventShape),
    handle: ({ query: { page, limit, eventType, ...dates }, caller }) =>
      own.pageOf(caller.userId, { eventType, ...periodOf(dates) }, { page, limit }),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/user/activity',
    id: 'getOwnActivity',
    tag,
    summary: 'Your own events by day and name',
    description: 'Days without events are left out.',
    access: member,
    query: GetOwnActivityQuery,
    success: ok(ActivityShape),
    handle: ({ query: { days, timezone }, caller }) => own.activity(caller.userId, days, timezone),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/user/stats',
    id: 'getOwnStatistics',
    tag,
    summary: 'What you did, in figures',
    description: 'Events as your clients told of them; the rest as the platform has it on record.',
    access: member,
    success: ok(StatisticsShape),
    handle: ({ caller }) => own.statistics(caller.userId),
  }),
];
