import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../kernel/operations/shapes.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { RATE } from './allowances.ts';
import type { MessageView } from './authors.ts';
import { MessageShape } from './chat.schemas.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageNotFound, SEND_FAILURES, tooManyEdits, tooManyMessages } from './failures.ts';
import { MAX_EDITS, REPORTABLE_DAYS } from './messages.model.ts';
import { EditChatMessageBody, ListChatMessagesQuery, SendChatMessageBody } from './messages.schemas.ts';
import type { MessageRules } from './messages.ts';
import { isModerator } from './room-access.ts';
import type { RoomRules } from './rooms.ts';
import type { Send } from './sending.ts';

const tag = 'Chatrooms';
const params = Type.Object({ chatroomId: pathId('chatroom') });
const paramsOfMessage = Type.Object({ chatroomId: pathId('chatroom'), messageId: pathId('message') });

/** Returns a message in the form of the API, which names `roomId` `chatroomId`. */
const viewOf = ({ roomId, ...rest }: MessageView) => ({ ...rest, chatroomId: roomId });

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
    summary: 'List messages, newest first',
    description:
      'Administrators and moderators can read every chatroom. When they are not in it and it is not public, the audit log has it (`chatroom.read`), once an hour for each of them and chatroom; subscribing to it live, too.',
    access: member,
    params,
    query: ListChatMessagesQuery,
    success: pageOf(MessageShape),
    failures: [roomNotFound, notMember, banned, messageNotFound],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params: { chatroomId }, query: { page, limit, ...cursor }, caller, facts }) => {
      await rooms.opened(chatroomId, caller, facts);
      const found = await messages.pageOf(chatroomId, { page, limit }, cursor);
      return { ...found, items: found.items.map(viewOf) };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/messages',
    id: 'sendChatMessage',
    tag,
    summary: 'Send a message',
    description: `Sending to a public chatroom joins it. Members can send ${RATE.limit} messages a minute, over HTTP and the WebSocket combined, including those that are refused.`,
    access: member,
    params,
    body: SendChatMessageBody,
    idempotent: true,
    success: created(MessageShape, { message: 'Message sent' }),
    failures: SEND_FAILURES,
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    repeatsLoad: true,
    handle: async ({ params, body: { message, clientMessageId = null }, caller, idempotency }) =>
      viewOf(
        await send({
          roomId: params.chatroomId,
          userId: caller.userId,
          message,
          clientId: clientMessageId,
          isModerator: isModerator(caller),
          answering: { idempotency, of: viewOf },
        }),
      ),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/messages/:messageId',
    id: 'editChatMessage',
    tag,
    summary: 'Edit your message',
    access: member,
    params: paramsOfMessage,
    body: EditChatMessageBody,
    success: ok(MessageShape, { message: 'Message changed' }),
    description: `Requires the author of the message. Members can make ${RATE.limit} edits a minute, and ${MAX_EDITS} of one message within ${REPORTABLE_DAYS} days, in which reports have what it said before.`,
    failures: [
      roomNotFound,
      messageNotFound,
      notMember,
      banned,
      blocked,
      muted,
      insufficientPermissions,
      () => tooManyMessages(1),
      tooManyEdits,
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
    summary: 'Delete a message',
    description:
      'Requires its author, the creator of the chatroom, or a moderator, who tells the author the `reason`.',
    access: member,
    params: paramsOfMessage,
    isAlsoForStaff: true,
    success: ok(DeletedRecord, { message: 'Message deleted' }),
    failures: [roomNotFound, messageNotFound, notMember, banned, insufficientPermissions],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: async ({ params, caller, facts }) => ({
      id: (await messages.delete(params.chatroomId, params.messageId, caller, facts)).id,
    }),
  }),
];
