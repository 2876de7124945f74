import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Exactly the fields that the specification names; see docs/decisions/realtime.md. */
export const postAnnounced = liveMessage(
  'post:created',
  Type.Object({
    postId: ObjectIdShape,
    userId: ObjectIdShape,
    communityId: ObjectIdShape,
    content: Type.String({ examples: ['Gold looks strong today.'] }),
  }),
  { summary: 'A member has posted in a community.', audience: 'everyone' },
);
