import { Type } from 'typebox';
import {
  cursorQuery,
  DateTime,
  nullable,
  ObjectIdShape,
  readableText,
} from '../../../kernel/operations/shapes.ts';
import { MemberShape } from '../../identity/contract.ts';

export const ListAnnouncementCommentsQuery = Type.Object(cursorQuery({ limit: 20 }));

export const CommentInBody = Type.Object({ content: readableText(2000, { examples: ['Thank you!'] }) });

export const CommentShape = Type.Object(
  {
    id: ObjectIdShape,
    announcementId: ObjectIdShape,
    userId: ObjectIdShape,
    user: MemberShape,
    content: Type.String(),
    createdAt: DateTime,
    editedAt: nullable(DateTime),
  },
  { $id: 'AnnouncementComment' },
);
