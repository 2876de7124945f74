import { type Static, Type } from 'typebox';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  cursorQuery,
  DateTime,
  nameText,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../../kernel/operations/shapes.ts';
import { MemberShape } from '../../identity/contract.ts';
import { ANNOUNCEMENT_PRIORITIES, MULTIMEDIA_TYPES } from './announcements.model.ts';

const MAX_URL_LENGTH = 2048;
const Multimedia = Type.Object(
  {
    type: oneOf(MULTIMEDIA_TYPES, { examples: ['image'] }),
    url: Type.String({
      format: 'http-url',
      maxLength: MAX_URL_LENGTH,
      description: 'An https address, or the `publicUrl` of an upload of your own',
      examples: ['https://cdn.example.com/chart.png'],
    }),
  },
  { $id: 'Multimedia' },
);

const fields = {
  title: nameText(200, { examples: ['Gold this week'] }),
  content: readableText(10_000, { examples: ['Three levels to watch.'] }),
  category: optionalText(100, { examples: ['market'] }),
  priority: oneOf(ANNOUNCEMENT_PRIORITIES, { examples: ['high'] }),
  pinned: Type.Boolean({ examples: [false] }),
  tags: Type.Array(readableText(50), { maxItems: 20, examples: [['gold']] }),
  multimedia: Type.Array(Multimedia, { maxItems: 10 }),
};

export const AnnouncementInBody = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  title: fields.title,
  content: fields.content,
});
export type AnnouncementDraft = Static<typeof AnnouncementInBody>;

export const AnnouncementChangesInBody = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  ...asRead,
});
export type AnnouncementChanges = Static<typeof AnnouncementChangesInBody>;

export const AnnouncementShape = Type.Object(
  {
    id: ObjectIdShape,
    educatorId: ObjectIdShape,
    educator: MemberShape,
    ...fields,
    reactions: Type.Object({
      likes: Type.Integer({ examples: [12] }),
      comments: Type.Integer({ examples: [3] }),
    }),
    liked: Type.Boolean({ description: 'Whether you like it' }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Announcement' },
);
export type AnnouncementView = Static<typeof AnnouncementShape>;

export const LikedOut = Type.Object(
  {
    announcementId: ObjectIdShape,
    liked: Type.Boolean(),
    likes: Type.Integer({ examples: [13] }),
  },
  { $id: 'AnnouncementLike' },
);

export const GetAnnouncementFeedQuery = Type.Object(cursorQuery({ limit: 20 }));

export const ListAnnouncementsQuery = Type.Object(
  cursorQuery({
    limit: 20,
    // The specification has the id alone.
    before: Type.String({
      pattern: '^((true|false)_)?[0-9a-f]{24}$',
      examples: ['false_6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    cursorOf: ['pinned', 'id'],
  }),
);
