import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';

export const muteChanged = liveMessage(
  'member:muted',
  Type.Object({
    userId: ObjectIdShape,
    mutedUntil: nullable({ ...DateTime, description: 'null once the mute has ended' }),
    reason: nullable(Type.String({ examples: ['Spam'] })),
  }),
  {
    summary: 'You have been muted everywhere, or may write again.',
    audience: 'user',
  },
);
