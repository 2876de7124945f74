import { shortenTo } from '../../kernel/text/text.ts';
import { type Notice, notice } from '../notifications/contract.ts';
import { postCommented } from './contract.ts';

const MAX_EXCERPT_LENGTH = 200;

export const communityNotices: Notice[] = [
  notice(postCommented, ({ postUserId, postId, commentId, userId, content, isQuiet }) =>
    isQuiet
      ? []
      : [
          {
            to: postUserId,
            type: 'comment_reply',
            channels: ['push'],
            title: 'A new comment on your post',
            message: shortenTo(content, MAX_EXCERPT_LENGTH),
            metadata: { action: 'open-post', postId, commentId, fromUserId: userId },
          },
        ],
  ),
];
