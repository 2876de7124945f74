import { offsetOf } from '../../kernel/database/pagination.ts';
import { validationFailed } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { member } from '../../kernel/operations/access.ts';
import { momentPageOf } from '../../kernel/operations/moments.ts';
import {
  accepted,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../kernel/operations/operation.ts';
import type { Figures } from './contract.ts';
import { tooManyNames } from './names.ts';
import { type OwnRules, tooManyQuestions } from './own.ts';
import { spanOf } from './spans.ts';
import {
  ActivityShape,
  BulkTracked,
  EventDraft,
  EventShape,
  GetOwnActivityQuery,
  ListOwnEventsQuery,
  MAX_BULK_EVENTS,
  statisticsShape,
  TrackEventsBody,
  Tracked,
} from './tracking.schemas.ts';
import { type TrackingRules, tooManyEvents } from './tracking.ts';

const tag = 'Analytics';
/** Maximum number of events that a page may skip, since each of them is read. */
const MAX_OFFSET = 10_000;

/** Operations for tracking events and for members' own activity. */
export const trackingOperations = (
  tracking: TrackingRules,
  own: OwnRules,
  contributed: Figures<ObjectId>[],
): Operation[] => [
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
    failures: [tooManyEvents, tooManyNames],
    faults: ({ body }) => tracking.faultsOf(body),
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
    failures: [tooManyEvents, tooManyNames],
    faults: ({ body }) => tracking.faultsOfAll(body),
    handle: ({ body, caller }) => tracking.trackAll(body.events, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/analytics/events',
    id: 'listOwnEvents',
    tag,
    summary: 'List your events, newest first',
    description: `Pages reach back ${MAX_OFFSET.toLocaleString('en-US')} events; earlier ones are read with \`before\`.`,
    access: member,
    query: ListOwnEventsQuery,
    success: pageOf(EventShape),
    failures: [tooManyQuestions],
    handle: ({ query: { page, limit, before, eventType, ...dates }, caller, disconnected }) => {
      const request = momentPageOf({ page, limit, before });
      if (offsetOf(request) > MAX_OFFSET)
        throw validationFailed([{ field: 'page', message: 'reaches back too far; use `before`' }]);
      const filter = { ...spanOf(dates), ...(eventType && { eventType }) };
      return own.pageOf(caller.userId, filter, request, disconnected);
    },
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
    failures: [tooManyQuestions],
    handle: ({ query: { days, timezone }, caller, disconnected }) =>
      own.activity(caller.userId, days, timezone, disconnected),
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
    success: ok(statisticsShape(contributed)),
    failures: [tooManyQuestions],
    handle: ({ caller, disconnected }) => own.statistics(caller.userId, disconnected),
  }),
];
