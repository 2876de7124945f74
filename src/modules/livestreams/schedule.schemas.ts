import { Type } from 'typebox';
import { TimeZone } from './livestreams.schemas.ts';

export const ScheduleQuery = Type.Object({
  timezone: Type.Optional({
    ...TimeZone,
    description: 'The IANA time zone that defines the days; UTC by default',
  }),
});

export const SyncScheduleQuery = Type.Object({ dryRun: Type.Optional(Type.Boolean()) });
