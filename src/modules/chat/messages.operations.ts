import { Type } from 'typebox';
import { insufficientPermissions, validationFailed } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { blocked } from '../moderation/contract.ts';
import { MessageShape, SentMessageShape } from './chat.schemas.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageIdReused, messageNotFound, muted, slowMode, tooManyMessages } from './failures.ts';
import {
  DeleteChatMessageResult,
  EditChatMessageBody,
  ListChatMessagesQuery,
  SendChatMessageBody,
} from './messages.schemas.ts';
import type { Message } from './messages.store.ts';
import type { MessageRules, MessageView } from './messages.ts';
import { isModerator } from './room-access.ts';
import type { RoomRules } from './rooms.ts';
import type { Send } from './sending.ts';

const tag = 'Chatrooms';
const params = Type.Object({ chatroomId: pathId('chatroom') });
const paramsOfMessage = Type.Object({ chatroomId: pathId('chatroom'), messageId: pathId('message') });

/** Returns a message with `roomId` renamed as in the API. */
const viewOf = <M extends Message | MessageView>({ roomId, ...rest }: M) => ({ ...rest, chatroomId: roomId });

interface MessageOperationDeps {
  rooms: RoomRules;
  messages: MessageRules;
  send: Send;
}

export const messageOperations = ({ rooms, messages, send }: MessageOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/chatrooms/:chatroomId/messages',
    id: 'listChatMessages',
    tag,
    summary: 'What was said, newest first',
    description:
      'By page, or from a message on: `before` and `after` take its id, and are equally fast however far back it is. With a cursor `pagination.page` is 1.',
    access: member,
    params,
    query: ListChatMessagesQuery,
    success: pageOf(MessageShape),
    failures: [roomNotFound, notMember, banned, messageNotFound],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params: { chatroomId }, query: { page, limit, ...cursor } }) => {
      if (cursor.before !== undefined && cursor.after !== undefined)
        throw validationFailed([{ field: 'after', message: 'or before, not both' }]);
      const found = await messages.pageOf(chatroomId, { page, limit }, cursor);
      return { ...found, items: found.items.map(viewOf) };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/messages',
    id: 'sendChatMessage',
    tag,
    summary: 'Say something',
    description:
      'In a public chatroom one joins by it. 100 messages a minute, here and over the WebSocket together.',
    access: member,
    params,
    body: SendChatMessageBody,
    success: created(SentMessageShape, { message: 'Message sent' }),
    failures: [
      roomNotFound,
      notMember,
      banned,
      blocked,
      muted,
      messageIdReused,
      () => slowMode(1),
      () => tooManyMessages(1),
    ],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params, body: { message, clientMessageId = null }, caller }) =>
      viewOf(
        await send({
          roomId: params.chatroomId,
          userId: caller.userId,
          message,
          clientId: clientMessageId,
          isModerator: isModerator(caller),
        }),
      ),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/messages/:messageId',
    id: 'editChatMessage',
    tag,
    summary: 'Change what you said',
    access: member,
    params: paramsOfMessage,
    body: EditChatMessageBody,
    success: ok(SentMessageShape, { message: 'Message changed' }),
    description: 'Its author, 100 edits a minute.',
    failures: [
      roomNotFound,
      messageNotFound,
      notMember,
      banned,
      muted,
      insufficientPermissions,
      () => tooManyMessages(1),
    ],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params, body, caller }) =>
      viewOf(await messages.edit(params.chatroomId, params.messageId, body.message, caller)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/chatrooms/:chatroomId/messages/:messageId',
    id: 'deleteChatMessage',
    tag,
    summary: 'Take a message back',
    description: 'Its author, the creator of the chatroom, or a moderator.',
    access: member,
    params: paramsOfMessage,
    success: ok(DeleteChatMessageResult, { message: 'Message deleted' }),
    failures: [roomNotFound, messageNotFound, notMember, banned, insufficientPermissions],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params, caller }) => ({
      id: (await messages.delete(params.chatroomId, params.messageId, caller)).id,
    }),
  }),
];
