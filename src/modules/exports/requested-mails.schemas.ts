// Events that request an e-mail to one person.
import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** An export of a member's data ended. */
export const exportEndedMail = eventKind('email.data-export', {
  version: 1,
  data: Type.Object({
    userId: ObjectIdShape,
    email: Type.String(),
    outcome: oneOf(['ready', 'failed']),
    /** Whether the member requested it, rather than an administrator. */
    isOwn: Type.Boolean(),
  }),
});
