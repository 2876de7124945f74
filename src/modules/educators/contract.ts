import { Type } from 'typebox';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

export const educatorNotFound = notFound('Educator');

/** An educator, for the lists of other modules. */
export interface EducatorCard {
  educatorId: ObjectId;
  firstName: string;
  lastName: string;
  username: string;
  /** The educator's name in links: the username. */
  slug: string;
  avatar: string | null;
  title: string | null;
}

export interface Educators {
  /** Returns the cards of visible educators: active ones who have the permission. */
  cardsOf(educatorIds: ObjectId[]): Promise<EducatorCard[]>;
  /** Returns the educators whose name or username resembles a text, best match first. */
  search(text: string, limit: number): Promise<EducatorCard[]>;
}

/** The visible data of an educator has changed. Not published for members who were never educators. */
export const educatorChanged = eventKind('educators.changed', {
  version: 1,
  data: Type.Object({
    educatorId: ObjectIdShape,
    isHidden: Type.Boolean({
      description: 'Whether members may no longer see the educator with this change',
    }),
  }),
});

const memberAndEducator = { userId: ObjectIdShape, educatorId: ObjectIdShape };

/** A member has followed an educator. */
export const educatorFollowed = eventKind('educators.followed', {
  version: 1,
  data: Type.Object(memberAndEducator),
});

const published = { educatorId: ObjectIdShape, isQuiet: IsQuiet };

/** An educator published an announcement. */
export const announcementPublished = eventKind('educators.announcement-published', {
  version: 2,
  data: Type.Object({ ...published, announcementId: ObjectIdShape }),
  upgrades: { 1: without('educatorName', 'educatorSince', 'title', 'excerpt', 'priority') },
});

/** An announcement was changed or deleted by its educator, or deleted with its educator. */
export const announcementChanged = eventKind('educators.announcement-changed', {
  version: 1,
  data: Type.Object({ announcementId: ObjectIdShape }),
});

/** An educator published a story. */
export const storyPublished = eventKind('educators.story-published', {
  version: 2,
  data: Type.Object({ ...published, storyId: ObjectIdShape, mediaType: Type.String() }),
  upgrades: { 1: without('educatorName', 'educatorSince') },
});

/** A member liked an announcement. */
export const announcementLiked = eventKind('educators.announcement-liked', {
  version: 1,
  data: Type.Object({ ...memberAndEducator, announcementId: ObjectIdShape }),
});

/** A member commented on an announcement. */
export const announcementCommented = eventKind('educators.announcement-commented', {
  version: 2,
  data: Type.Object({
    ...memberAndEducator,
    announcementId: ObjectIdShape,
    commentId: ObjectIdShape,
    isQuiet: IsQuiet,
  }),
  upgrades: { 1: without('content') },
});
