import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { PRIORITIES } from './contract.ts';

/** Exactly the fields that the specification names; see docs/decisions/realtime.md. */
export const newNotification = liveMessage(
  'notification:new',
  Type.Object({
    id: ObjectIdShape,
    title: Type.String({ examples: ['The session begins'] }),
    message: Type.String({ examples: ['Join us now.'] }),
    priority: oneOf(PRIORITIES, { examples: ['high'] }),
  }),
  { summary: 'The member has a new notification.', audience: 'user' },
);
