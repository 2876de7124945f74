import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { ReadPosition, RoomShape } from './chat.schemas.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageNotFound } from './failures.ts';
import { MarkChatroomReadBody } from './messages.schemas.ts';
import type { ReadingRules } from './reading.ts';
import { ChatroomNotificationsBody, UnreadMessages } from './rooms.schemas.ts';
import type { RoomRules } from './rooms.ts';
import { TOLD_AFTER_SECONDS, type WaitingMessages } from './waiting.ts';

/** The operations by which members say what they have read, see what they have not, and choose whether they are told. */
export const readingOperations = ({
  rooms,
  reading,
  waiting,
}: {
  rooms: RoomRules;
  reading: ReadingRules;
  waiting: Pick<WaitingMessages, 'quieten'>;
}): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/chatrooms/unread-count',
    id: 'countUnreadMessages',
    tag: 'Chatrooms',
    summary: 'Count your unread messages in all chatrooms',
    access: member,
    success: ok(UnreadMessages),
    handle: ({ caller }) => reading.allUnreadOf(caller.userId),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/read',
    id: 'markChatroomRead',
    tag: 'Chatrooms',
    summary: 'Say up to which message you have read a chatroom',
    description:
      'Only members of the chatroom. An earlier message than the last one that you named changes nothing. Your other devices get `chat:read`.',
    access: member,
    params: Type.Object({ chatroomId: pathId('chatroom') }),
    body: MarkChatroomReadBody,
    success: ok(ReadPosition),
    failures: [roomNotFound, notMember, banned, messageNotFound],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: ({ loaded: { id: roomId }, body: { messageId }, caller: { userId } }) =>
      reading.markRead({ roomId, messageId, userId }),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/notifications',
    id: 'setChatroomNotifications',
    tag: 'Chatrooms',
    summary: 'Choose whether you are notified of new messages in a chatroom',
    description: `Only members of the chatroom. In chatrooms that are not public, whoever has not read a message after ${TOLD_AFTER_SECONDS} seconds and is not connected to the chatroom gets one notification of the type \`chat\`, and the next one only after reading.`,
    access: member,
    params: Type.Object({ chatroomId: pathId('chatroom') }),
    body: ChatroomNotificationsBody,
    success: ok(RoomShape),
    failures: [roomNotFound, notMember, banned],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ loaded: room, body: { enabled }, caller }) => {
      await waiting.quieten(room.id, caller.userId, !enabled);
      return rooms.view(room, caller);
    },
  }),
];
