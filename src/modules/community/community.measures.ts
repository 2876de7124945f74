import { facts, type Measures } from '../analytics/contract.ts';
import { commentCreated, postCreated, reactionGiven } from './contract.ts';
import type { PostsForHubs } from './posts-for-hubs.store.ts';

const type = 'engagement';

export const communityMeasures = ({ figuresOf }: Pick<PostsForHubs, 'figuresOf'>): Measures => ({
  facts: [
    facts(postCreated, ({ userId, postId, communityId }) => [
      { userId, name: 'post.created', type, metadata: { postId, communityId } },
    ]),
    facts(commentCreated, ({ userId, postId, commentId }) => [
      { userId, name: 'comment.created', type, metadata: { postId, commentId } },
    ]),
    facts(reactionGiven, (data) => [
      {
        userId: data.userId,
        name: 'reaction.given',
        type,
        metadata: { postId: data.postId, type: data.type },
      },
    ]),
  ],
  ofMember: async (userId) => ({ engagement: await figuresOf(userId) }),
});
