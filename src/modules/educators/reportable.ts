import type { Reportable } from '../moderation/contract.ts';
import type { AnnouncementRules } from './announcements/announcements.ts';
import type { CommentRules } from './comments/comments.ts';
import type { StoryRules } from './stories/stories.ts';

interface ReportableDeps {
  announcements: AnnouncementRules;
  comments: CommentRules;
  stories: StoryRules;
}

/** Reportable content: educators' publications, and comments on them. */
export const reportableOf = ({ announcements, comments, stories }: ReportableDeps): Reportable[] => [
  {
    kind: 'announcement',
    find: async (id) => {
      const { educatorId, title, content } = await announcements.find(id);
      return { authorId: educatorId, text: `${title}\n${content}`, containerId: null };
    },
    remove: (tx, id) => announcements.removeIn(tx, id),
  },
  {
    kind: 'comment',
    find: async (id) => {
      const { comment } = await comments.find(id);
      return { authorId: comment.userId, text: comment.content, containerId: comment.announcementId };
    },
    remove: (tx, id) => comments.removeIn(tx, id),
  },
  {
    kind: 'story',
    find: async (id) => {
      const { educatorId, mediaUrl } = await stories.find(id);
      return { authorId: educatorId, text: mediaUrl, containerId: null };
    },
    remove: (tx, id) => stories.removeIn(tx, id),
  },
];
