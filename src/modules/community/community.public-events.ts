import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import {
  commentCreated,
  communityCreated,
  postChanged,
  postCommented,
  postCreated,
  postDeleted,
  reactionGiven,
} from './contract.ts';

export const communityPublicEvents: PublicEvent[] = [
  publicEvent('post.created', {
    about: 'A member created a post in a community',
    data: Type.Object({ postId: ObjectIdShape, communityId: ObjectIdShape, userId: ObjectIdShape }),
    from: [fromEvent(postCreated, ({ postId, communityId, userId }) => ({ postId, communityId, userId }))],
  }),
  publicEvent('post.deleted', {
    about: 'A post was deleted, with its comments and reactions',
    data: Type.Object({ postId: ObjectIdShape }),
    from: [fromEvent(postDeleted, ({ postId }) => ({ postId }))],
  }),
];

export const communityInternalEvents: InternalEvent[] = [
  ...internalEvents('It notifies members who are subscribed to the topic', communityCreated),
  ...internalEvents(
    'A reaction of a member, of which only the author is told',
    commentCreated,
    postCommented,
    reactionGiven,
  ),
  ...internalEvents('The text is read from the post, which keeps its id', postChanged),
];
