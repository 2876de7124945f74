import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { MAX_LISTED } from './contract.ts';

/** Part 2, Server messages: exactly these fields. */
export const presenceChanged = liveMessage(
  'user:online',
  Type.Object({ userId: ObjectIdShape, status: oneOf(['online', 'offline'], { examples: ['online'] }) }),
  {
    summary: `A member has entered or left a room with up to ${MAX_LISTED} members present. \`online\` may be repeated for a member who is already present.`,
    audience: 'room',
  },
);
