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
    summary: 'Record an event',
    description:
      'The response is sent once the event is stored. With an `eventId`, the request can safely be repeated.',
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
    summary: 'Record many events',
    description: `Records up to ${MAX_BULK_EVENTS.toLocaleString('en-US')} events, all of them or none. The response is sent once they are stored.`,
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
    summary: 'List your events, newest first',
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
    summary: 'Count your events by day and name',
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
    summary: 'Retrieve statistics about your activity',
    description:
      'Event counts come from your clients; all other figures come from the records of the platform.',
    access: member,
    success: ok(StatisticsShape),
    handle: ({ caller }) => own.statistics(caller.userId),
  }),
];
