// Written by `npm run sdk` from the operations of the platform: change those instead.

import type * as wire from './wire.ts';

/** A message with its number in the order of its room. */
type Numbered<Data> = Data & { seq: number };

/** The messages that the server sends, by type. */
export interface LiveMessages {
  /** You have been muted everywhere, or may write again. */
  'member:muted': {
    userId: string;
    /** null once the mute has ended */
    mutedUntil: string | null;
    reason: string | null;
  };
  /** A member has entered or left a room with up to 200 members present. `online` may be repeated for a member who is already present. */
  'user:online': {
    chatroomId: string;
    userId: string;
    user: wire.Member;
    status: 'online' | 'offline';
  };
  /** A member has sent a message to the room. */
  'chat:message': Numbered<{
    chatroomId: string;
    messageId: string;
    userId: string;
    user: wire.MessageAuthor;
    message: string;
    timestamp: string;
  }>;
  /** A message has been edited. */
  'chat:updated': Numbered<{
    chatroomId: string;
    messageId: string;
    message: string;
    editedAt: string;
  }>;
  /** A message has been deleted. */
  'chat:deleted': Numbered<{
    chatroomId: string;
    messageId: string;
  }>;
  /** Another member is typing a message. */
  'chat:typing': {
    chatroomId: string;
    userId: string;
  };
  /** You have been muted in a room, or may write there again. */
  'chat:muted': {
    chatroomId: string;
    userId: string;
    /** null once the mute has ended */
    mutedUntil: string | null;
  };
  /** Somebody has added you to a room. */
  'chat:added': {
    chatroomId: string;
    name: string;
    addedBy: string;
  };
  /** You are no longer in a room. */
  'chat:removed': {
    chatroomId: string;
    /** `REMOVED`, `BANNED`, `LEFT` (on another device, too) or `ROOM_DELETED` */
    reason: string;
  };
  /** A room that you are in was changed: its texts, type, slow mode or owner. Ignore one with an earlier `updatedAt` than you know of the room. */
  'chat:room-updated': {
    chatroomId: string;
    name: string;
    description: string;
    /** Rules of the chatroom, for its members */
    rules: string[];
    /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
    type: 'public' | 'private' | 'group';
    createdBy: string;
    /** Minimum seconds between two messages of a member; 0 for no minimum */
    slowModeSeconds: number;
    updatedAt: string;
  };
  /** More of the room was missed than can be replayed. Discard what you keep of it from before, and read it anew over HTTP: edits and deletions of older messages are not told. */
  'chat:gap': {
    chatroomId: string;
    /** The `seq` of the last message before the gap */
    after: number;
  };
  /** You have read a room up to a message, on this device or another one. Ignore one with a smaller `seq` than you know of the room. */
  'chat:read': {
    chatroomId: string;
    /** The message that was marked */
    messageId: string;
    /** Up to where you have read by now, maybe further on another device: live messages with a greater `seq` are not in `unreadCount` yet */
    seq: number;
    /** Messages of others that you have not read, among the newest 100 */
    unreadCount: number;
  };
  /** The message is stored. */
  'chat:ack': {
    /** An id that you choose. A message sent again with the same id is stored once */
    clientMessageId?: string;
    messageId: string;
    chatroomId: string;
    /** The sequence number of the message in its room */
    seq: number;
    timestamp: string;
    /** The message was sent before, with the same `clientMessageId` */
    duplicate: boolean;
  };
  /** The token was accepted; it is valid until `expiresAt`. */
  'auth:success': {
    userId: string;
    sessionId: string;
    expiresAt: string;
  };
  /** The token was rejected, and the connection is closed with 4401. If `retryAfter` is present, the failure is temporary and the connection stays open: send `auth` again. */
  'auth:error': {
    code: LiveErrorCode;
    /** A text for people */
    message: string;
    /** All invalid fields */
    errors?: {
      field: string;
      message: string;
    }[];
    /** Seconds to wait before sending the command again */
    retryAfter?: number;
    /** Of `MUTED` only */
    mutedUntil?: string;
  };
  /** The token expires within a minute. Send `auth` with a new one. */
  'auth:expiring': {
    expiresAt: string;
  };
  /** The subscription has started. Its messages follow. */
  'subscribe:success': {
    channel: 'chatroom';
    chatroomId: string;
    /** The sequence number of the newest message in the room */
    seq: number;
    memberCount: number;
    /** Members who are connected to it now */
    activeNow: number;
    /** Their ids; left out if there are more than 200 */
    online?: string[];
    /** With `after`: how many missed messages follow */
    replayed?: number;
    /** With `after`: whether more was missed than follows. Then discard what you keep of the room from before, and read it anew over HTTP, since edits and deletions of older messages are not told */
    more?: boolean;
  } | {
    channel: 'notifications';
    userId: string;
    /** Since when notifications are sent */
    timestamp: string;
  } | {
    channel: 'market';
    symbols: string[];
  };
  /** A subscription was rejected. */
  'subscribe:error': {
    channel?: string;
    /** That of the command, if it has one */
    chatroomId?: string;
    code: LiveErrorCode;
    /** A text for people */
    message: string;
    /** All invalid fields */
    errors?: {
      field: string;
      message: string;
    }[];
    /** Seconds to wait before sending the command again */
    retryAfter?: number;
    /** Of `MUTED` only */
    mutedUntil?: string;
  };
  /** The subscription has ended. */
  'unsubscribe:success': {
    channel: 'chatroom';
    chatroomId: string;
  } | {
    channel: 'notifications';
    userId: string;
  } | {
    channel: 'market';
    symbols: string[];
  };
  /** The member may no longer read a room that they were subscribed to. */
  'unsubscribed': {
    channel: 'chatroom';
    chatroomId: string;
    /** A stable code for programs */
    reason: string;
  };
  /** The newest price of a symbol that the connection is subscribed to, at most four times a second. */
  'market:price': {
    symbol: string;
    price: number;
    /** Change since the market opened */
    change: number;
    changePercent: number;
  };
  /** Answers `ping` with the server time. */
  'pong': {
    timestamp: string;
  };
  /** A command was rejected. */
  'error': {
    /** That of the command, if it has one */
    chatroomId?: string;
    /** That of the command, if it has one */
    clientMessageId?: string;
    code: LiveErrorCode;
    /** A text for people */
    message: string;
    /** All invalid fields */
    errors?: {
      field: string;
      message: string;
    }[];
    /** Seconds to wait before sending the command again */
    retryAfter?: number;
    /** Of `MUTED` only */
    mutedUntil?: string;
  };
  /** A livestream has started. */
  'session:started': {
    sessionId: string;
    title: string;
    speakerId: string;
    startedAt: string;
  };
  /** A livestream has ended. */
  'session:ended': {
    sessionId: string;
    speakerId: string;
    endedAt: string;
  };
  /** A member has posted in a community. */
  'post:created': {
    postId: string;
    userId: string;
    user: wire.Member;
    communityId: string;
    content: string;
  };
  /** The text of a post has been changed. */
  'post:updated': {
    postId: string;
    userId: string;
    user: wire.Member;
    communityId: string;
    content: string;
    editedAt: string;
  };
  /** A post has been deleted. */
  'post:deleted': {
    postId: string;
    communityId: string;
  };
  /** A community has been deleted, with its posts. */
  'community:deleted': {
    communityId: string;
  };
  /** A member has published a trade idea. */
  'trade:created': {
    tradeId: string;
    user: wire.Member;
    symbol: string;
    direction: 'long' | 'short';
    entryPrice: number;
  };
  /** A trade idea has been changed or closed. */
  'trade:updated': wire.Trade;
  /** A trade idea has been deleted. */
  'trade:deleted': {
    tradeId: string;
  };
  /** The member has a new notification. */
  'notification:new': wire.Notification;
  /** The member has read notifications, on this device or another one. */
  'notification:read': {
    /** Those that have been read; empty with `all` */
    ids: string[];
    /** Whether all that there were have been read */
    all: boolean;
    /** How many are left */
    unreadCount: number;
  };
  /** The member has deleted a notification, on this device or another one, or what it was about no longer exists. */
  'notification:deleted': {
    /** Those that no longer exist */
    ids: string[];
    /** How many unread ones are left */
    unreadCount: number;
  };
}

/** The codes of failures on the live channel. */
export type LiveErrorCode =
  | 'ACCOUNT_INACTIVE'
  | 'AUTHENTICATION_REQUIRED'
  | 'BANNED'
  | 'BLOCKED'
  | 'FORBIDDEN'
  | 'INVALID_MESSAGE'
  | 'INVALID_TOKEN'
  | 'MESSAGE_ID_REUSED'
  | 'MESSAGE_LIMIT_EXCEEDED'
  | 'MUTED'
  | 'NOT_A_MEMBER'
  | 'NOT_FOUND'
  | 'PRICES_UNAVAILABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  | 'SLOW_MODE'
  | 'TOKEN_EXPIRED'
  | 'TOO_MANY_SUBSCRIPTIONS'
  | 'TOO_MANY_SYMBOLS'
  | 'UNKNOWN_CHANNEL'
  | 'UNKNOWN_TYPE'
  | 'UNSAFE_TEXT'
  | 'VALIDATION_FAILED';
