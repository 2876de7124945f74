import { type Notice, notice } from '../notifications/contract.ts';
import { postCommented } from './contract.ts';

const MAX_EXCERPT_LENGTH = 200;

export const communityNotices: Notice[] = [
  notice(postCommented, ({ postUserId, postId, commentId, userId, content }) => [
    {
      to: postUserId,
      type: 'comment_reply',
      channels: ['push'],
      title: 'A new comment on your post',
      message: content.length > MAX_EXCERPT_LENGTH ? `${content.slice(0, MAX_EXCERPT_LENGTH)}…` : content,
      metadata: { action: 'open-post', postId, commentId, fromUserId: userId },
    },
  ]),
];
