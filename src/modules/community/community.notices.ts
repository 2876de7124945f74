import { shortenTo } from '../../kernel/text/text.ts';
import { COMMENT_REPLY, type Notice, notice, noticeAction } from '../notifications/contract.ts';
import { postCommented } from './contract.ts';
import type { PostsForHubs } from './posts-for-hubs.store.ts';

const MAX_EXCERPT_LENGTH = 200;

export const communityNotices = ({ findComments }: Pick<PostsForHubs, 'findComments'>): Notice[] => [
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
