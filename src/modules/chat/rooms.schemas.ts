import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { cursorQuery, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { RoomTypeShape } from './chat.schemas.ts';

export const Removed = Type.Object({ chatroomId: ObjectIdShape, userId: ObjectIdShape });

export const ListChatroomsQuery = Type.Object({ ...cursorQuery(), type: Type.Optional(RoomTypeShape) });

export const ListChatroomMembersQuery = Type.Object(
  cursorQuery({ before: bodyId('user'), cursorOf: ['userId'] }),
);

export const AddChatroomMemberBody = Type.Object({ userId: bodyId('user') });
