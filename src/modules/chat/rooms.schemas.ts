import { Type } from 'typebox';
import { bodyId, membersQuery } from '../../kernel/operations/ids.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { RoomTypeShape } from './chat.schemas.ts';
import { MOST_UNREAD, MOST_UNREAD_IN_ALL } from './rooms.model.ts';

export const Removed = Type.Object({ chatroomId: ObjectIdShape, userId: ObjectIdShape });

export const ListChatroomsQuery = Type.Object({
  ...momentQuery(['lastMessageAt', 'id'], { before: 'MomentOrId' }),
  type: Type.Optional(RoomTypeShape),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'A part of their name', examples: ['gold'] }),
  ),
  joined: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      enum: [true],
      description: 'Only chatrooms that you are a member of',
    }),
  ),
  sort: Type.Optional(
    oneOf(['newest', 'active'], {
      description:
        'By creation, newest first (the default), or by the newest message (`lastMessageAt`, of rooms without messages `createdAt`), latest first; `active` requires `joined=true`',
    }),
  ),
});

export const UnreadMessages = Type.Object(
  {
    count: Type.Integer({
      description: `The sum of their \`unreadCount\`, of which each is at most ${MOST_UNREAD}; counting ends at ${MOST_UNREAD_IN_ALL}`,
      examples: [7],
    }),
    chatrooms: Type.Integer({ description: 'In how many chatrooms you have unread messages', examples: [2] }),
  },
  { $id: 'UnreadMessages' },
);

export const ListChatroomMembersQuery = Type.Object(membersQuery());

export const AddChatroomMemberBody = Type.Object({ userId: bodyId('user') });

export const HandOnChatroomBody = Type.Object({ userId: bodyId('user') });

export const ChatroomNotificationsBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether you are notified; by default you are', examples: [false] }),
});
