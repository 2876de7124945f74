import { Type } from 'typebox';
import { eventKind } from '../../kernel/events.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** A member commented on another member's post. */
export const postCommented = eventKind('community.post-commented', {
  version: 1,
  data: Type.Object({
    postId: ObjectIdShape,
    postUserId: ObjectIdShape,
    commentId: ObjectIdShape,
    userId: ObjectIdShape,
    content: Type.String(),
  }),
});
