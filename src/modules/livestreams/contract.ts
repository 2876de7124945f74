import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

/** A livestream went live. */
export const livestreamStarted = eventKind('livestreams.started', {
  version: 2,
  data: Type.Object({
    livestreamId: ObjectIdShape,
    hostId: ObjectIdShape,
    startedAt: Type.String({ format: 'date-time' }),
    isQuiet: IsQuiet,
  }),
  upgrades: { 1: without('title') },
});

/** A livestream ended without a request: it was forgotten, or its host may no longer hold any. */
export const livestreamEnded = eventKind('livestreams.ended', {
  version: 1,
  data: Type.Object({
    livestreamId: ObjectIdShape,
    hostId: ObjectIdShape,
    endedAt: Type.String({ format: 'date-time' }),
  }),
});
