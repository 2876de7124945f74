import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** Part 2, Server messages: exactly these fields. */
export const presenceChanged = liveMessage(
  'user:online',
  Type.Object({ userId: ObjectIdShape, status: oneOf(['online', 'offline'], { examples: ['online'] }) }),
  {
    summary:
      'A member has come to, or left, a room of up to 200 present members; `online` may come again for a member who is there.',
    audience: 'room',
  },
);
