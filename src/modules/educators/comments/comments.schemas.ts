import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { ObjectIdShape, pageQuery } from '../../../kernel/operations/shapes.ts';

export const ListAnnouncementCommentsQuery = Type.Object({
  ...pageQuery({ limit: 20 }),
  before: Type.Optional(bodyId('comment')),
});

export const DeleteAnnouncementCommentResult = Type.Object({ id: ObjectIdShape });
