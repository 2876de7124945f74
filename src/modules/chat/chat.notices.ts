import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Notice, type NotificationType, notice, noticeAction } from '../notifications/contract.ts';
import { memberAdded, messagesWaiting, publicRoomCreated, roomHandedOn } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';

const CHAT: NotificationType = { name: 'chat', priority: 'medium', channels: ['push'] };

interface Stores {
  rooms: Pick<RoomStore, 'findAll'>;
  members: Pick<MembershipStore, 'hold'>;
}

interface Place {
  roomId: ObjectId;
  userId: ObjectId;
}

const keyOf = ({ roomId, userId }: Place): string => roomId + userId;

const OPEN_ROOM = noticeAction('open-chatroom', {
  opens: 'the chatroom',
  path: '/v1/chatrooms/{chatroomId}',
  ids: ['chatroomId'],
  optionalIds: ['fromUserId'],
});

/** The name of a room in a notification: the creator's own, whose erasure finds it only in notifications from them. */
const nameFrom = (room: Room, userId: ObjectId): string =>
  room.createdBy === userId ? room.name : 'a chatroom';

export function chatNotices({ rooms, members }: Stores): Notice[] {
  /**
   * Returns a lookup of those rooms that still exist and that the member is still in. Who leaves one waits for these locks, and
   * takes the notification back.
   */
  async function current(all: Place[], queries: Queries): Promise<(one: Place) => Room | undefined> {
    const [found, memberships] = await Promise.all([
      rooms.findAll([...new Set(all.map(({ roomId }) => roomId))], queries),
      members.hold(all, queries),
    ]);
    const byId = new Map(found.map((room) => [room.id, room]));
    const isIn = new Set(memberships.filter(({ isMember }) => isMember).map(keyOf));
    return (one) => (isIn.has(keyOf(one)) ? byId.get(one.roomId) : undefined);
  }

  return [
    notice(memberAdded, {
      type: CHAT,
      action: OPEN_ROOM,
      read: current,
      write: ({ roomId, userId, addedBy }, roomOf) => {
        const room = roomOf({ roomId, userId });
        if (!room) return [];
        return [
          {
            to: userId,
            from: addedBy,
            title: `You were added to ${nameFrom(room, addedBy)}`,
            message: 'You can read and write in this chatroom now.',
            ids: { chatroomId: roomId, fromUserId: addedBy },
          },
        ];
      },
    }),
    notice(roomHandedOn, {
      type: CHAT,
      action: OPEN_ROOM,
      read: current,
      write: ({ roomId, userId, from }, roomOf) => {
        if (roomOf({ roomId, userId })?.createdBy !== userId) return [];
        return [
          {
            to: userId,
            ...(from && { from }),
            title: 'A chatroom is yours now',
            message: 'You manage it in place of its former owner.',
            ids: { chatroomId: roomId, ...(from && { fromUserId: from }) },
          },
        ];
      },
    }),
    notice(publicRoomCreated, {
      type: CHAT,
      action: OPEN_ROOM,
      read: async (all, queries) => {
        const found = await rooms.findAll([...new Set(all.map(({ roomId }) => roomId))], queries);
        return new Map(found.map((room) => [room.id, room]));
      },
      write: ({ roomId, userId }, found) => {
        const room = found.get(roomId);
        // Its name may be that of another owner by now.
        if (room?.type !== 'public' || room.createdBy !== userId) return [];
        return [
          {
            topic: 'CHATROOM',
            from: userId,
            channels: ['push'],
            title: 'A new chatroom',
            message: room.name,
            ids: { chatroomId: roomId, fromUserId: userId },
          },
        ];
      },
    }),
    notice(messagesWaiting, {
      type: CHAT,
      action: OPEN_ROOM,
      read: current,
      write: ({ roomId, userId, fromUserId }, roomOf) => {
        const room = roomOf({ roomId, userId });
        if (!room) return [];
        return [
          {
            to: userId,
            from: fromUserId,
            title: `New messages in ${nameFrom(room, fromUserId)}`,
            message: 'You have not read them yet.',
            ids: { chatroomId: roomId, fromUserId },
          },
        ];
      },
    }),
  ];
}
