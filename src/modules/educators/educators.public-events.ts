import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import {
  announcementChanged,
  announcementCommented,
  announcementLiked,
  announcementPublished,
  educatorChanged,
  educatorFollowed,
  storyPublished,
} from './contract.ts';

const educator = { educatorId: ObjectIdShape };

export const educatorPublicEvents: PublicEvent[] = [
  publicEvent('announcement.published', {
    about: 'An educator published an announcement',
    data: Type.Object({ ...educator, announcementId: ObjectIdShape }),
    from: [
      fromEvent(announcementPublished, ({ educatorId, announcementId }) => ({ educatorId, announcementId })),
    ],
  }),
  publicEvent('story.published', {
    about: 'An educator published a story',
    data: Type.Object({
      ...educator,
      storyId: ObjectIdShape,
      mediaType: Type.String({ description: '`image` or `video`', examples: ['image'] }),
    }),
    from: [
      fromEvent(storyPublished, ({ educatorId, storyId, mediaType }) => ({ educatorId, storyId, mediaType })),
    ],
  }),
  publicEvent('educator.followed', {
    about: 'A member followed an educator',
    data: Type.Object({ ...educator, userId: ObjectIdShape }),
    from: [fromEvent(educatorFollowed, ({ educatorId, userId }) => ({ educatorId, userId }))],
  }),
];

export const educatorInternalEvents: InternalEvent[] = [
  ...internalEvents('It keeps the search up to date', educatorChanged, announcementChanged),
  ...internalEvents(
    'A reaction of a member, of which only the educator is told',
    announcementLiked,
    announcementCommented,
  ),
];
