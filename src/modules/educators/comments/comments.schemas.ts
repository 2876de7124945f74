import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import {
  DateTime,
  nullable,
  ObjectIdShape,
  pageQuery,
  readableText,
} from '../../../kernel/operations/shapes.ts';

export const ListAnnouncementCommentsQuery = Type.Object({
  ...pageQuery({ limit: 20 }),
  before: Type.Optional(bodyId('comment')),
});

export const DeleteAnnouncementCommentResult = Type.Object({ id: ObjectIdShape });

export const CommentInBody = Type.Object({ content: readableText(2000, { examples: ['Thank you!'] }) });

export const CommentShape = Type.Object(
  {
    id: ObjectIdShape,
    announcementId: ObjectIdShape,
    userId: ObjectIdShape,
    user: Type.Object({
      firstName: Type.String(),
      lastName: Type.String(),
      avatar: nullable(Type.String()),
      rankBadgeUrl: nullable(Type.String()),
    }),
    content: Type.String(),
    createdAt: DateTime,
  },
  { $id: 'AnnouncementComment' },
);
