import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Part 2, Server messages: exactly these fields. */
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
