import { shortenTo } from '../../kernel/text/text.ts';
import { ANNOUNCEMENT, COMMENT_REPLY, type Notice, notice, noticeAction } from '../notifications/contract.ts';
import type { CommunityStore } from './community.store.ts';
import { communityCreated, postCommented } from './contract.ts';
import type { PostsForHubs } from './posts-for-hubs.store.ts';

const MAX_EXCERPT_LENGTH = 200;

interface Stores extends Pick<PostsForHubs, 'findComments'> {
  findAll: CommunityStore['findAll'];
}

export const communityNotices = ({ findComments, findAll }: Stores): Notice[] => [
  notice(communityCreated, {
    type: ANNOUNCEMENT,
    action: noticeAction('open-community', {
      opens: 'the community',
      path: '/v1/communities/{communityId}',
      ids: ['communityId', 'fromUserId'],
    }),
    read: async (all, queries) => {
      const found = await findAll(
        all.map(({ communityId }) => communityId),
        queries,
      );
      return new Map(found.map((community) => [community.id, community]));
    },
    write: ({ communityId, userId }, communities) => {
      const community = communities.get(communityId);
      if (!community) return [];
      return [
        {
          topic: 'COMMUNITIES',
          from: userId,
          priority: 'medium',
          channels: ['push'],
          title: 'A new community',
          message: community.name,
          ids: { communityId, fromUserId: userId },
        },
      ];
    },
  }),
  notice(postCommented, {
    type: COMMENT_REPLY,
    action: noticeAction('open-post', {
      opens: 'the post, at the comment',
      path: '/v1/posts/{postId}',
      ids: ['postId', 'commentId', 'fromUserId'],
    }),
    read: async (all, queries) => {
      const comments = await findComments(
        all.map(({ commentId }) => commentId),
        queries,
      );
      return new Map(comments.map(({ id, content }) => [id, content]));
    },
    write: ({ postUserId, postId, commentId, userId }, contents) => {
      const content = contents.get(commentId);
      if (content === undefined) return [];
      return [
        {
          to: postUserId,
          from: userId,
          title: 'A new comment on your post',
          message: shortenTo(content, MAX_EXCERPT_LENGTH),
          ids: { postId, commentId, fromUserId: userId },
        },
      ];
    },
  }),
];
