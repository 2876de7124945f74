import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';

/** The fields of the specification, and the author; see docs/decisions/realtime.md. */
export const postAnnounced = liveMessage(
  'post:created',
  Type.Object({
    postId: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    communityId: ObjectIdShape,
    content: Type.String({ examples: ['Gold looks strong today.'] }),
  }),
  { summary: 'A member has posted in a community.', audience: 'everyone' },
);
