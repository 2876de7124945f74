import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Exactly the fields of the specification; see docs/decisions/realtime.md. */
export const sessionStarted = liveMessage(
  'session:started',
  Type.Object({
    sessionId: ObjectIdShape,
    title: Type.String({ examples: ['The London open'] }),
    speakerId: ObjectIdShape,
    startedAt: DateTime,
  }),
  { summary: 'A livestream has started.', audience: 'everyone' },
);

export const sessionEnded = liveMessage(
  'session:ended',
  Type.Object({ sessionId: ObjectIdShape, speakerId: ObjectIdShape, endedAt: DateTime }),
  { summary: 'A livestream has ended.', audience: 'everyone' },
);
