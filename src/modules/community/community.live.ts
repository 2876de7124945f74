import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';

/** The fields of the specification, and the author; see docs/decisions/realtime.md. */
const announced = {
  postId: ObjectIdShape,
  userId: ObjectIdShape,
  user: MemberShape,
  communityId: ObjectIdShape,
  content: Type.String({ examples: ['Gold looks strong today.'] }),
};

export const postAnnounced = liveMessage('post:created', Type.Object(announced), {
  summary: 'A member has posted in a community.',
  audience: 'everyone',
});

/** Without reactions and comments, which are not changed by it, and of which a reader's own reaction is one. */
export const postUpdated = liveMessage('post:updated', Type.Object({ ...announced, editedAt: DateTime }), {
  summary: 'The text of a post has been changed.',
  audience: 'everyone',
});

export const postRemoved = liveMessage(
  'post:deleted',
  Type.Object({ postId: ObjectIdShape, communityId: ObjectIdShape }),
  { summary: 'A post has been deleted.', audience: 'everyone' },
);

export const communityRemoved = liveMessage(
  'community:deleted',
  Type.Object({ communityId: ObjectIdShape }),
  {
    summary: 'A community has been deleted, with its posts.',
    audience: 'everyone',
  },
);
