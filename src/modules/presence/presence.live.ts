import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { MAX_LISTED } from './contract.ts';

/** The fields of the specification, the member and the room; see docs/decisions/realtime.md. */
export const presenceChanged = liveMessage(
  'user:online',
  Type.Object({
    chatroomId: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    status: oneOf(['online', 'offline'], { examples: ['online'] }),
  }),
  {
    summary: `A member has entered or left a room with up to ${MAX_LISTED} members present. \`online\` may be repeated for a member who is already present.`,
    audience: 'room',
  },
);
