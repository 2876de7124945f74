import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Part 2, Server messages: exactly these fields. */
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
