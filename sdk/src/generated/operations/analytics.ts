// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { readCsv } from '../../files.ts';
import { pagesOf } from '../../pages.ts';
import type * as wire from '../wire.ts';

/** Record an event. `POST /v1/analytics/track` For member. */
export const trackEvent: Operation<{
  body: wire.EventDraft;
  data: wire.TrackEventResult;
  code: AnyCode | TokenCode | WriteCode | 'TOO_MANY_EVENTS' | 'TOO_MANY_EVENT_NAMES';
}> = {
  id: 'trackEvent',
  method: 'POST',
  path: '/v1/analytics/track',
};

/** Record many events. `POST /v1/analytics/track/bulk` For member. */
export const trackEvents: Operation<{
  body: wire.TrackEventsBody;
  data: wire.TrackEventsResult;
  code: AnyCode | TokenCode | WriteCode | 'JSON_TOO_DENSE' | 'TOO_MANY_EVENTS' | 'TOO_MANY_EVENT_NAMES';
}> = {
  id: 'trackEvents',
  method: 'POST',
  path: '/v1/analytics/track/bulk',
};

/** List your events, newest first. `GET /v1/analytics/events` For member. */
export const listOwnEvents: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `timestamp` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
    eventType?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
  };
  data: wire.AnalyticsEvent[];
  paged: true;
  code: AnyCode | TokenCode | 'TOO_MANY_QUESTIONS';
}> = {
  id: 'listOwnEvents',
  method: 'GET',
  path: '/v1/analytics/events',
  pages: pagesOf,
  cursor: ['before', 'timestamp', 'id'],
};

/** Count your events by day and name. `GET /v1/analytics/user/activity` For member. */
export const getOwnActivity: Operation<{
  query: {
    /** Number of days, today included */
    days?: number;
    /** An IANA time zone; days, weeks and months begin at its midnight */
    timezone?: string;
  };
  data: {
    date: string;
    events: number;
    breakdown: Record<string, number>;
  }[];
  code: AnyCode | TokenCode | 'TOO_MANY_QUESTIONS';
}> = {
  id: 'getOwnActivity',
  method: 'GET',
  path: '/v1/analytics/user/activity',
};

/** Retrieve statistics about your activity. `GET /v1/analytics/user/stats` For member. */
export const getOwnStatistics: Operation<{
  data: wire.OwnStatistics;
  code: AnyCode | TokenCode | 'TOO_MANY_QUESTIONS';
}> = {
  id: 'getOwnStatistics',
  method: 'GET',
  path: '/v1/analytics/user/stats',
};

/** Retrieve key figures of the platform. `GET /v1/analytics/dashboard` For administrator. */
export const getDashboard: Operation<{
  query: {
    period?: '7d' | '30d' | '90d' | '1y';
  };
  data: wire.Dashboard;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getDashboard',
  method: 'GET',
  path: '/v1/analytics/dashboard',
};

/** Analyse a funnel of events. `POST /v1/analytics/funnel` For administrator. */
export const askFunnel: Operation<{
  body: wire.AskFunnelBody;
  data: wire.Funnel;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN';
}> = {
  id: 'askFunnel',
  method: 'POST',
  path: '/v1/analytics/funnel',
  isRepeatable: true,
};

/** Count events by day, week or month. `GET /v1/analytics/aggregate` For administrator. */
export const aggregateEvents: Operation<{
  query: {
    groupBy?: 'day' | 'week' | 'month';
    eventType?: string;
    eventName?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    /** An IANA time zone; days, weeks and months begin at its midnight */
    timezone?: string;
    /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
    source?: 'client' | 'platform' | 'all';
    format?: 'json' | 'csv';
  };
  data: {
    /** The day, the Monday of the week, or the month as `2026-11` */
    period: string;
    /** The requested filter */
    eventType?: string;
    /** The requested filter */
    eventName?: string;
    count: number;
    uniqueUsers: number;
  }[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'aggregateEvents',
  method: 'GET',
  path: '/v1/analytics/aggregate',
  read: readCsv,
};

/** List the 1,000 most frequent event types, most frequent first. `GET /v1/analytics/events/types` For administrator. */
export const listEventTypes: Operation<{
  query: {
    /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
    source?: 'client' | 'platform' | 'all';
  };
  data: {
    eventType: string;
    count: number;
  }[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listEventTypes',
  method: 'GET',
  path: '/v1/analytics/events/types',
};

/** List the 1,000 most frequent event names, most frequent first. `GET /v1/analytics/events/popular` For administrator. */
export const listPopularEvents: Operation<{
  query: {
    /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
    source?: 'client' | 'platform' | 'all';
  };
  data: {
    eventName: string;
    count: number;
  }[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listPopularEvents',
  method: 'GET',
  path: '/v1/analytics/events/popular',
};

/** Export events as CSV. `GET /v1/analytics/events/export` For administrator. */
export const exportEvents: Operation<{
  query: {
    eventType?: string;
    eventName?: string;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
    source?: 'client' | 'platform' | 'all';
  };
  data: wire.ExportEventsResult;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'exportEvents',
  method: 'GET',
  path: '/v1/analytics/events/export',
  read: readCsv,
};

/** List the names of events that are counted by themselves, newest first. `GET /v1/analytics/events/names` For administrator. */
export const listEventNames: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.EventName[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listEventNames',
  method: 'GET',
  path: '/v1/analytics/events/names',
  pages: pagesOf,
};

/** Count the events of a name by themselves from now on. `POST /v1/analytics/events/names` For administrator. */
export const listEventName: Operation<{
  body: wire.EventNameDecision;
  data: wire.ListEventNameResult;
  code: AnyCode | TokenCode | WriteCode | 'EVENT_NAMES_FULL' | 'FORBIDDEN';
}> = {
  id: 'listEventName',
  method: 'POST',
  path: '/v1/analytics/events/names',
};

/** Count the events of a name under `other`. `DELETE /v1/analytics/events/names` For administrator. */
export const removeEventName: Operation<{
  body: wire.EventNameDecision;
  data: wire.RemoveEventNameResult;
  code: AnyCode | TokenCode | WriteCode | 'EVENT_NAME_RESERVED' | 'FORBIDDEN' | 'NOT_FOUND';
}> = {
  id: 'removeEventName',
  method: 'DELETE',
  path: '/v1/analytics/events/names',
};
