import type { ObjectId } from '../../kernel/ids.ts';
import type { Place, Reportable } from '../moderation/contract.ts';
import type { AnnouncementStore } from './announcements/announcements.store.ts';
import type { AnnouncementRules } from './announcements/announcements.ts';
import type { CommentStore } from './comments/comments.store.ts';
import type { CommentRules } from './comments/comments.ts';
import type { StoryRules } from './stories/stories.ts';

interface ReportableDeps {
  announcements: AnnouncementRules;
  comments: CommentRules;
  stories: StoryRules;
  commentStore: Pick<CommentStore, 'around'>;
  announcementStore: Pick<AnnouncementStore, 'find'>;
}

/** Reportable content: educators' publications, and comments on them. */
export function reportableOf(deps: ReportableDeps): Reportable[] {
  const { announcements, comments, stories, commentStore, announcementStore } = deps;

  async function placeOf(id: ObjectId): Promise<Place | null> {
    const found = await announcementStore.find(id);
    if (!found) return null;
    const { title, content, educatorId } = found;
    return { kind: 'announcement', id, name: title, text: content, authorId: educatorId };
  }

  return [
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
      around: async ({ subjectId, containerId }, _moderator, sides) => ({
        place: await placeOf(containerId),
        entries: await commentStore.around(subjectId, containerId, sides),
      }),
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
}
