import { Type } from 'typebox';
import { TimeZone } from './livestreams.schemas.ts';

export const ScheduleQuery = Type.Object({
  timezone: Type.Optional({ ...TimeZone, description: 'Whose days are meant (IANA); UTC unless said' }),
});

export const SyncScheduleQuery = Type.Object({ dryRun: Type.Optional(Type.Boolean()) });
