import { Type } from 'typebox';
import { bodyId, membersQuery } from '../../kernel/operations/ids.ts';
import { cursorQuery, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { RoomTypeShape } from './chat.schemas.ts';

export const Removed = Type.Object({ chatroomId: ObjectIdShape, userId: ObjectIdShape });

export const ListChatroomsQuery = Type.Object({
  ...cursorQuery(),
  type: Type.Optional(RoomTypeShape),
  joined: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'Only chatrooms that you are a member of',
    }),
  ),
});

export const ListChatroomMembersQuery = Type.Object(membersQuery());

export const AddChatroomMemberBody = Type.Object({ userId: bodyId('user') });
