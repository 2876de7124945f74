import {
  ALL_EDUCATORS,
  type Audience,
  type Notice,
  notice,
  topicOfEducator,
} from '../notifications/contract.ts';
import { announcementCommented, announcementPublished, storyPublished } from './contract.ts';

/** Subscribers of this educator, and members who subscribed to all since this one became an educator. */
const subscribersOf = ({
  educatorId,
  educatorSince,
}: {
  educatorId: string;
  educatorSince: string;
}): Audience => ({
  topic: topicOfEducator(educatorId),
  kind: { topic: ALL_EDUCATORS, since: new Date(educatorSince) },
  from: educatorId,
});

/** An announcement of low priority waits for the digest; others have the priority of their type. */
const priorityOf = (priority: string) =>
  priority === 'low' ? 'low' : priority === 'urgent' ? 'critical' : undefined;

export const educatorNotices: Notice[] = [
  notice(announcementPublished, ({ isQuiet, title, excerpt, priority, educatorName, ...rest }) =>
    isQuiet
      ? []
      : [
          {
            topic: subscribersOf(rest),
            type: 'announcement',
            priority: priorityOf(priority),
            title: `${educatorName}: ${title}`,
            message: excerpt,
            metadata: {
              action: 'open-announcement',
              announcementId: rest.announcementId,
              educatorId: rest.educatorId,
            },
          },
        ],
  ),
  notice(storyPublished, ({ isQuiet, educatorName, storyId, ...rest }) =>
    isQuiet
      ? []
      : [
          {
            topic: subscribersOf(rest),
            type: 'announcement',
            priority: 'medium',
            channels: ['push'],
            title: `${educatorName} has a new story`,
            message: 'It is visible for a day.',
            metadata: { action: 'open-story', storyId, educatorId: rest.educatorId },
          },
        ],
  ),
  notice(announcementCommented, ({ educatorId, userId, announcementId, commentId, content, isQuiet }) =>
    isQuiet || educatorId === userId
      ? []
      : [
          {
            to: educatorId,
            type: 'comment_reply',
            title: 'A new comment on your announcement',
            message: content,
            metadata: { action: 'open-announcement', announcementId, commentId, fromUserId: userId },
          },
        ],
  ),
];
