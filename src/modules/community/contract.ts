import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

const ofPost = { postId: ObjectIdShape, userId: ObjectIdShape };

/** A member created a community. */
export const communityCreated = eventKind('community.community-created', {
  version: 1,
  data: Type.Object({ communityId: ObjectIdShape, userId: ObjectIdShape, isQuiet: IsQuiet }),
});

/** A member created a post. */
export const postCreated = eventKind('community.post-created', {
  version: 1,
  data: Type.Object({ ...ofPost, communityId: ObjectIdShape }),
});

/** The text of a post was changed. */
export const postChanged = eventKind('community.post-changed', {
  version: 1,
  data: Type.Object({ postId: ObjectIdShape }),
});

/** A post was deleted, with its comments and reactions. */
export const postDeleted = eventKind('community.post-deleted', {
  version: 1,
  data: Type.Object({ postId: ObjectIdShape }),
});

/** A member commented on a post, possibly their own. */
export const commentCreated = eventKind('community.comment-created', {
  version: 1,
  data: Type.Object({ ...ofPost, commentId: ObjectIdShape }),
});

/** A member reacted to a post for the first time. */
export const reactionGiven = eventKind('community.reaction-given', {
  version: 1,
  data: Type.Object({ ...ofPost, type: Type.String() }),
});

/** A member commented on another member's post. */
export const postCommented = eventKind('community.post-commented', {
  version: 2,
  data: Type.Object({
    postId: ObjectIdShape,
    postUserId: ObjectIdShape,
    commentId: ObjectIdShape,
    userId: ObjectIdShape,
    isQuiet: IsQuiet,
  }),
  upgrades: { 1: without('content') },
});
