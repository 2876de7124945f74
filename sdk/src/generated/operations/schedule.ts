// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Retrieve the schedule of this week, from Monday. `GET /v1/streams/schedule/week` For member. */
export const getScheduleOfWeek: Operation<{
  query: {
    /** The IANA time zone that defines the days; UTC by default */
    timezone?: string;
  };
  data: wire.Schedule;
  code: AnyCode | TokenCode;
}> = {
  id: 'getScheduleOfWeek',
  method: 'GET',
  path: '/v1/streams/schedule/week',
};

/** Retrieve today's schedule. `GET /v1/streams/schedule/today` For member. */
export const getScheduleOfToday: Operation<{
  query: {
    /** The IANA time zone that defines the days; UTC by default */
    timezone?: string;
  };
  data: wire.Schedule;
  code: AnyCode | TokenCode;
}> = {
  id: 'getScheduleOfToday',
  method: 'GET',
  path: '/v1/streams/schedule/today',
};

/** List an educator's sessions for the next 30 days, today included. `GET /v1/streams/schedule/educator/{educatorId}` For member. */
export const getScheduleOfEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  query: {
    /** The IANA time zone that defines the days; UTC by default */
    timezone?: string;
  };
  data: wire.Schedule;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getScheduleOfEducator',
  method: 'GET',
  path: '/v1/streams/schedule/educator/{educatorId}',
  fill: filled,
};

/** Synchronize the schedule mirror now. `POST /v1/streams/schedule/sync` For administrator. */
export const syncSchedule: Operation<{
  query: {
    dryRun?: boolean;
    /** Why you do it, for the audit log */
    reason?: string;
  };
  data: wire.ScheduleSync;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'SCHEDULE_UNAVAILABLE';
}> = {
  id: 'syncSchedule',
  method: 'POST',
  path: '/v1/streams/schedule/sync',
};
