import type { ObjectId } from '../../kernel/ids.ts';
import { type Notice, type NotificationType, notice, noticeAction } from '../notifications/contract.ts';
import { memberAdded } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { RoomStore } from './rooms.store.ts';

const CHAT: NotificationType = { name: 'chat', priority: 'medium', channels: ['push'] };

interface Stores {
  rooms: Pick<RoomStore, 'findAll'>;
  members: Pick<MembershipStore, 'find'>;
}

const keyOf = ({ roomId, userId }: { roomId: ObjectId; userId: ObjectId }): string => roomId + userId;

export const chatNotices = ({ rooms, members }: Stores): Notice[] => [
  notice(memberAdded, {
    type: CHAT,
    action: noticeAction('open-chatroom', {
      opens: 'the chatroom',
      path: '/v1/chatrooms/{chatroomId}',
      ids: ['chatroomId', 'fromUserId'],
    }),
    read: async (all, queries) => {
      const [found, memberships] = await Promise.all([
        rooms.findAll([...new Set(all.map(({ roomId }) => roomId))], queries),
        members.find(all, queries),
      ]);
      const current = memberships.filter(({ isMember }) => isMember);
      return {
        rooms: new Map(found.map((room) => [room.id, room])),
        memberships: new Set(current.map(keyOf)),
      };
    },
    write: (added, { rooms, memberships }) => {
      const room = rooms.get(added.roomId);
      if (!room || !memberships.has(keyOf(added))) return [];
      // The name may be that of the creator, whose erasure finds it only in notifications from them.
      const name = room.createdBy === added.addedBy ? room.name : 'a chatroom';
      return [
        {
          to: added.userId,
          from: added.addedBy,
          title: `You were added to ${name}`,
          message: 'You can read and write in this chatroom now.',
          ids: { chatroomId: added.roomId, fromUserId: added.addedBy },
        },
      ];
    },
  }),
];
