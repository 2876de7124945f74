import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { asRead } from '../../kernel/operations/lost-updates.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import {
  boundsQuery,
  cursorQuery,
  DateTime,
  InstantText,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  pageQuery,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { STATUSES } from './livestreams.model.ts';

const StatusShape = oneOf(STATUSES, { examples: ['scheduled'] });
export const TimeZone = Type.String({
  format: 'time-zone',
  maxLength: 64,
  description: 'An IANA time zone',
  examples: ['Europe/Warsaw'],
});

const fields = {
  id: ObjectIdShape,
  title: Type.String({ examples: ['Gold at noon'] }),
  description: Type.String({ examples: ['What moves it today'] }),
  hostId: ObjectIdShape,
  host: MemberShape,
  status: StatusShape,
  scheduledStart: DateTime,
  scheduledEnd: DateTime,
  startedAt: nullable(DateTime),
  endedAt: nullable(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime,
};
export const LivestreamShape = Type.Object(fields, { $id: 'Livestream' });

const LocalTime = Type.String({
  description: 'Local time in the requested time zone',
  examples: ['2026-11-21T13:00:00+01:00'],
});
export const LocalLivestreamShape = Type.Object(
  {
    ...fields,
    timezone: Type.Optional(TimeZone),
    scheduledStartLocal: Type.Optional(LocalTime),
    scheduledEndLocal: Type.Optional(LocalTime),
  },
  { $id: 'LocalLivestream' },
);

const title = nameText(200, { examples: ['Gold at noon'] });
const description = optionalText(4000, { examples: ['What moves it today'] });
export const LivestreamInBody = Type.Object({
  title,
  description: Type.Optional(description),
  hostId: Type.Optional(bodyId('host')),
  scheduledStart: InstantText,
  scheduledEnd: InstantText,
});
export const LivestreamChangesInBody = Type.Object({
  title: Type.Optional(title),
  description: Type.Optional(description),
  hostId: Type.Optional(bodyId('host')),
  scheduledStart: Type.Optional(InstantText),
  scheduledEnd: Type.Optional(InstantText),
  ...asRead,
});

export const ScheduleShape = Type.Object(
  {
    source: oneOf(['upstream', 'mirror']),
    degraded: Type.Boolean({
      description: 'Whether the data comes from the local mirror because the upstream is unavailable',
    }),
    from: DateTime,
    to: DateTime,
    timezone: TimeZone,
    sessions: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['session-7'] }),
          title: Type.String({ examples: ['Gold at noon'] }),
          description: Type.String(),
          educatorId: ObjectIdShape,
          educatorName: Type.String({ examples: ['Ada L'] }),
          startsAt: DateTime,
          endsAt: DateTime,
        },
        { $id: 'ScheduledSession' },
      ),
    ),
  },
  { $id: 'Schedule' },
);
export const SyncShape = Type.Object(
  {
    dryRun: Type.Boolean(),
    created: Type.Integer(),
    updated: Type.Integer(),
    removed: Type.Integer(),
    unchanged: Type.Integer(),
  },
  { $id: 'ScheduleSync' },
);

export const ListLiveStreamsQuery = Type.Object(cursorQuery());

export const ListScheduledLiveStreamsQuery = Type.Object({
  ...pageQuery(),
  timezone: Type.Optional(TimeZone),
});

export const ListLivestreamsQuery = Type.Object({
  ...momentQuery(['scheduledStart', 'id'], { before: 'MomentOrId' }),
  status: Type.Optional(StatusShape),
  host: Type.Optional(bodyId('host')),
  hostId: Type.Optional(bodyId('host')),
  ...boundsQuery,
  sort: Type.Optional(
    oneOf(['newest', 'soonest'], {
      description: 'By creation, newest first (the default), or by `scheduledStart`, earliest first',
    }),
  ),
});
