import { shortenTo } from '../../kernel/text/text.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { ANNOUNCEMENT, COMMENT_REPLY, type Notice, notice, noticeAction } from '../notifications/contract.ts';
import type { AnnouncementStore } from './announcements/announcements.store.ts';
import type { CommentStore } from './comments/comments.store.ts';
import { announcementCommented, announcementPublished, storyPublished } from './contract.ts';
import { nameOf, subscribersOf } from './educators.model.ts';
import type { StoryStore } from './stories/stories.store.ts';

const MAX_EXCERPT_LENGTH = 200;

/** An announcement of low priority waits for the digest; others have the priority of their type. */
const priorityOf = (priority: string) =>
  priority === 'low' ? 'low' : priority === 'urgent' ? 'critical' : undefined;

const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

const openAnnouncement = noticeAction('open-announcement', {
  opens: 'the announcement, at the comment if there is one',
  path: '/v1/educators/announcements/{announcementId}',
  ids: ['announcementId', 'educatorId'],
  optionalIds: ['commentId', 'fromUserId'],
});

interface Stores {
  announcements: Pick<AnnouncementStore, 'toNotify'>;
  comments: Pick<CommentStore, 'findAll'>;
  stories: Pick<StoryStore, 'toNotify'>;
  clock: Clock;
}

export const educatorNotices = ({ announcements, comments, stories, clock }: Stores): Notice[] => [
  notice(announcementPublished, {
    type: ANNOUNCEMENT,
    action: openAnnouncement,
    read: async (all, queries) =>
      byId(
        await announcements.toNotify(
          all.map(({ announcementId }) => announcementId),
          queries,
        ),
      ),
    write: ({ announcementId, educatorId }, found) => {
      const one = found.get(announcementId);
      if (!one) return [];
      return [
        {
          topic: subscribersOf(educatorId, one),
          from: educatorId,
          priority: priorityOf(one.priority),
          title: `${nameOf(one)}: ${one.title}`,
          message: shortenTo(one.content, MAX_EXCERPT_LENGTH),
          ids: { announcementId, educatorId },
        },
      ];
    },
  }),
  notice(storyPublished, {
    type: ANNOUNCEMENT,
    action: noticeAction('open-story', {
      opens: 'the story',
      path: '/v1/educators/stories/{storyId}',
      ids: ['storyId', 'educatorId'],
    }),
    read: async (all, queries) =>
      byId(
        await stories.toNotify(
          all.map(({ storyId }) => storyId),
          clock.date(),
          queries,
        ),
      ),
    write: ({ storyId, educatorId }, found) => {
      const story = found.get(storyId);
      if (!story) return [];
      return [
        {
          topic: subscribersOf(educatorId, story),
          from: educatorId,
          priority: 'medium',
          channels: ['push'],
          title: `${nameOf(story)} has a new story`,
          message: 'It is visible for a day.',
          ids: { storyId, educatorId },
        },
      ];
    },
  }),
  notice(announcementCommented, {
    type: COMMENT_REPLY,
    action: openAnnouncement,
    read: async (all, queries) =>
      byId(
        await comments.findAll(
          all.map(({ commentId }) => commentId),
          queries,
        ),
      ),
    write: ({ educatorId, userId, announcementId, commentId }, found) => {
      const comment = found.get(commentId);
      if (!comment || educatorId === userId) return [];
      return [
        {
          to: educatorId,
          from: userId,
          title: 'A new comment on your announcement',
          message: shortenTo(comment.content, MAX_EXCERPT_LENGTH),
          ids: { announcementId, educatorId, commentId, fromUserId: userId },
        },
      ];
    },
  }),
];
