import { type Static, Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { DateTime, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { CONTENT_TYPES, WATCH_PLATFORMS } from './contract.ts';

const SECONDS_OF_A_YEAR = 366 * 24 * 3600;

export const SessionInBody = Type.Object({
  contentType: oneOf(CONTENT_TYPES, { examples: ['lesson'] }),
  contentId: bodyId('content'),
  educatorId: Type.Optional(nullable(bodyId('educator'))),
  platform: oneOf(WATCH_PLATFORMS, { examples: ['web'] }),
});
export type SessionDraft = Static<typeof SessionInBody>;

export const HeartbeatInBody = Type.Object({
  positionSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: SECONDS_OF_A_YEAR, description: 'Position in the content' }),
  ),
});

export const StartedSession = Type.Object(
  { id: ObjectIdShape, startedAt: DateTime },
  { $id: 'StartedWatchSession' },
);

export const SessionShape = Type.Object(
  {
    id: ObjectIdShape,
    startedAt: DateTime,
    lastHeartbeatAt: nullable(DateTime),
    endedAt: nullable(DateTime),
    watchSecs: Type.Integer({ description: 'Seconds counted so far', examples: [120] }),
  },
  { $id: 'WatchSession' },
);
