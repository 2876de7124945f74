// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesBothWays, pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List public chatrooms and those you are a member of. `GET /v1/chatrooms` For member. */
export const listChatrooms: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `lastMessageAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.MomentOrId;
    /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
    type?: 'public' | 'private' | 'group';
    /** A part of their name */
    search?: string;
    /** Only chatrooms that you are a member of */
    joined?: true;
    /** By creation, newest first (the default), or by the newest message (`lastMessageAt`, of rooms without messages `createdAt`), latest first; `active` requires `joined=true` */
    sort?: 'newest' | 'active';
  };
  data: wire.Chatroom[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listChatrooms',
  method: 'GET',
  path: '/v1/chatrooms',
  pages: pagesOf,
  cursor: ['before', 'lastMessageAt', 'id'],
};

/** Create a chatroom. `POST /v1/chatrooms` For member. */
export const createChatroom: Operation<{
  body: wire.CreateChatroomBody;
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'CHATROOM_LIMIT_EXCEEDED' | 'MUTED' | 'TOO_MANY_CHATROOMS';
}> = {
  id: 'createChatroom',
  method: 'POST',
  path: '/v1/chatrooms',
  isIdempotent: true,
};

/** Retrieve a chatroom. `GET /v1/chatrooms/{chatroomId}` For member. */
export const getChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  data: wire.Chatroom;
  code: AnyCode | TokenCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'getChatroom',
  method: 'GET',
  path: '/v1/chatrooms/{chatroomId}',
  fill: filled,
};

/** Update a chatroom. `PUT /v1/chatrooms/{chatroomId}` For member. */
export const updateChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.UpdateChatroomBody;
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'CHATROOM_HAS_HISTORY' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND';
}> = {
  id: 'updateChatroom',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}',
  fill: filled,
};

/** Delete a chatroom. `DELETE /v1/chatrooms/{chatroomId}` For member. */
export const deleteChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteChatroom',
  method: 'DELETE',
  path: '/v1/chatrooms/{chatroomId}',
  fill: filled,
};

/** Hand on a chatroom to one of its members. `PUT /v1/chatrooms/{chatroomId}/owner` For member. */
export const handOnChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.HandOnChatroomBody;
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | 'BLOCKED' | 'CHATROOM_OF_EDUCATOR' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'OWNER_HAS_TOO_MANY_CHATROOMS';
}> = {
  id: 'handOnChatroom',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/owner',
  fill: filled,
};

/** Join a public chatroom. `POST /v1/chatrooms/{chatroomId}/join` For member. */
export const joinChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'joinChatroom',
  method: 'POST',
  path: '/v1/chatrooms/{chatroomId}/join',
  fill: filled,
  isRepeatable: true,
};

/** Leave a chatroom. `POST /v1/chatrooms/{chatroomId}/leave` For member. */
export const leaveChatroom: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'CREATOR_CANNOT_LEAVE' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'leaveChatroom',
  method: 'POST',
  path: '/v1/chatrooms/{chatroomId}/leave',
  fill: filled,
};

/** List the members of a chatroom. `GET /v1/chatrooms/{chatroomId}/members` For member. */
export const listChatroomMembers: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.ChatroomMember[];
  paged: true;
  code: AnyCode | TokenCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'listChatroomMembers',
  method: 'GET',
  path: '/v1/chatrooms/{chatroomId}/members',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'userId'],
};

/** Add a member to a chatroom. `POST /v1/chatrooms/{chatroomId}/members` For member. */
export const addChatroomMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.AddChatroomMemberBody;
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'ADDING_LIMIT_EXCEEDED' | 'BANNED' | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'MEMBER_LEFT' | 'NOT_FOUND';
}> = {
  id: 'addChatroomMember',
  method: 'POST',
  path: '/v1/chatrooms/{chatroomId}/members',
  fill: filled,
  isIdempotent: true,
};

/** Remove a member from a chatroom. `DELETE /v1/chatrooms/{chatroomId}/members/{userId}` For member. */
export const removeChatroomMember: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.RemoveChatroomMemberResult;
  code: AnyCode | TokenCode | WriteCode | 'CREATOR_CANNOT_LEAVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'removeChatroomMember',
  method: 'DELETE',
  path: '/v1/chatrooms/{chatroomId}/members/{userId}',
  fill: filled,
};

/** Count your unread messages in all chatrooms. `GET /v1/chatrooms/unread-count` For member. */
export const countUnreadMessages: Operation<{
  data: wire.UnreadMessages;
  code: AnyCode | TokenCode;
}> = {
  id: 'countUnreadMessages',
  method: 'GET',
  path: '/v1/chatrooms/unread-count',
};

/** Say up to which message you have read a chatroom. `PUT /v1/chatrooms/{chatroomId}/read` For member. */
export const markChatroomRead: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.MarkChatroomReadBody;
  data: wire.ReadPosition;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'markChatroomRead',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/read',
  fill: filled,
};

/** Choose whether you are notified of new messages in a chatroom. `PUT /v1/chatrooms/{chatroomId}/notifications` For member. */
export const setChatroomNotifications: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.SetChatroomNotificationsBody;
  data: wire.Chatroom;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'setChatroomNotifications',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/notifications',
  fill: filled,
};

/** List messages, newest first. `GET /v1/chatrooms/{chatroomId}/messages` For member. */
export const listChatMessages: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    /** The `id` of a message: lists those sent after it. Not together with `page` or `before` */
    after?: wire.ObjectId;
  };
  data: wire.ChatMessage[];
  paged: true;
  code: AnyCode | TokenCode | 'BANNED' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'listChatMessages',
  method: 'GET',
  path: '/v1/chatrooms/{chatroomId}/messages',
  fill: filled,
  pages: pagesBothWays,
  cursor: ['before', 'id'],
};

/** Send a message. `POST /v1/chatrooms/{chatroomId}/messages` For member. */
export const sendChatMessage: Operation<{
  params: {
    chatroomId: wire.ObjectId;
  };
  body: wire.SendChatMessageBody;
  data: wire.ChatMessage;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BANNED' | 'BLOCKED' | 'INVALID_ID' | 'MESSAGE_ID_REUSED' | 'MESSAGE_LIMIT_EXCEEDED' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND' | 'SLOW_MODE';
}> = {
  id: 'sendChatMessage',
  method: 'POST',
  path: '/v1/chatrooms/{chatroomId}/messages',
  fill: filled,
  isIdempotent: true,
};

/** Edit your message. `PUT /v1/chatrooms/{chatroomId}/messages/{messageId}` For member. */
export const editChatMessage: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    messageId: wire.ObjectId;
  };
  body: wire.EditChatMessageBody;
  data: wire.ChatMessage;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'BLOCKED' | 'FORBIDDEN' | 'INVALID_ID' | 'MESSAGE_LIMIT_EXCEEDED' | 'MUTED' | 'NOT_A_MEMBER' | 'NOT_FOUND' | 'TOO_MANY_EDITS';
}> = {
  id: 'editChatMessage',
  method: 'PUT',
  path: '/v1/chatrooms/{chatroomId}/messages/{messageId}',
  fill: filled,
};

/** Delete a message. `DELETE /v1/chatrooms/{chatroomId}/messages/{messageId}` For member. */
export const deleteChatMessage: Operation<{
  params: {
    chatroomId: wire.ObjectId;
    messageId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'BANNED' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_A_MEMBER' | 'NOT_FOUND';
}> = {
  id: 'deleteChatMessage',
  method: 'DELETE',
  path: '/v1/chatrooms/{chatroomId}/messages/{messageId}',
  fill: filled,
};
