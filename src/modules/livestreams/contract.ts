import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** A livestream went live. */
export const livestreamStarted = eventKind('livestreams.started', {
  version: 1,
  data: Type.Object({
    livestreamId: ObjectIdShape,
    title: Type.String(),
    hostId: ObjectIdShape,
    startedAt: Type.String({ format: 'date-time' }),
    isQuiet: Type.Optional(
      Type.Boolean({ description: 'The author exceeded the hourly limit, so nobody is notified' }),
    ),
  }),
});
