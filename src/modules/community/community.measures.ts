import { Count, facts, figures, type Measures } from '../analytics/contract.ts';
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
  ofMember: [figures('engagement', { posts: Count, comments: Count, reactions: Count }, figuresOf)],
  ofPlatform: [
    figures(
      'engagement',
      { postsCreated: Count, commentsPosted: Count, reactionsGiven: Count },
      ({ facts }) => ({
        postsCreated: facts.count('post.created'),
        commentsPosted: facts.count('comment.created'),
        reactionsGiven: facts.count('reaction.given'),
      }),
    ),
  ],
});
