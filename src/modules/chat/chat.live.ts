import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { DateTime, nullable, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { AuthorShape, ReadMessageId, ReadSeq, RoomShape, UnreadCount } from './chat.schemas.ts';
import { ClientMessageId } from './contract.ts';

const message = Type.String({ examples: ['Gold breaks out!'] });
const place = { chatroomId: ObjectIdShape, messageId: ObjectIdShape };

/** The fields of the specification, and the author; see docs/decisions/realtime.md. */
export const messageSent = liveMessage(
  'chat:message',
  Type.Object({ ...place, userId: ObjectIdShape, user: AuthorShape, message, timestamp: DateTime }),
  { summary: 'A member has sent a message to the room.', audience: 'room', numbered: 'message' },
);

export const messageEdited = liveMessage(
  'chat:updated',
  Type.Object({ ...place, message, editedAt: DateTime }),
  { summary: 'A message has been edited.', audience: 'room', numbered: 'rewrite' },
);

export const messageDeleted = liveMessage('chat:deleted', Type.Object(place), {
  summary: 'A message has been deleted.',
  audience: 'room',
  numbered: 'rewrite',
});

export const memberTyping = liveMessage(
  'chat:typing',
  Type.Object({ chatroomId: ObjectIdShape, userId: ObjectIdShape }),
  { summary: 'Another member is typing a message.', audience: 'room' },
);

export const memberMutedInRoom = liveMessage(
  'chat:muted',
  Type.Object({
    chatroomId: ObjectIdShape,
    userId: ObjectIdShape,
    mutedUntil: nullable({ ...DateTime, description: 'null once the mute has ended' }),
  }),
  { summary: 'You have been muted in a room, or may write there again.', audience: 'user' },
);

export const addedToRoom = liveMessage(
  'chat:added',
  Type.Object({
    chatroomId: ObjectIdShape,
    name: Type.String({ examples: ['Gold'] }),
    addedBy: ObjectIdShape,
  }),
  { summary: 'Somebody has added you to a room.', audience: 'user' },
);

export const removedFromRoom = liveMessage(
  'chat:removed',
  Type.Object({
    chatroomId: ObjectIdShape,
    reason: Type.String({
      description: '`REMOVED`, `BANNED`, `LEFT` (on another device, too) or `ROOM_DELETED`',
      examples: ['REMOVED'],
    }),
  }),
  { summary: 'You are no longer in a room.', audience: 'user' },
);

export const roomUpdated = liveMessage(
  'chat:room-updated',
  Type.Object({
    chatroomId: ObjectIdShape,
    ...Type.Pick(RoomShape, ['name', 'description', 'rules', 'type', 'slowModeSeconds', 'createdBy'])
      .properties,
    updatedAt: DateTime,
  }),
  {
    summary:
      'A room that you are in was changed: its texts, type, slow mode or owner. Ignore one with an earlier `updatedAt` than you know of the room.',
    audience: 'user',
  },
);

export const chatroomRead = liveMessage(
  'chat:read',
  Type.Object({
    chatroomId: ObjectIdShape,
    messageId: ReadMessageId,
    seq: ReadSeq,
    unreadCount: UnreadCount,
  }),
  {
    summary:
      'You have read a room up to a message, on this device or another one. Ignore one with a smaller `seq` than you know of the room.',
    audience: 'user',
  },
);

export const messagesLost = liveMessage(
  'chat:gap',
  Type.Object({
    chatroomId: ObjectIdShape,
    after: Type.Integer({ description: 'The `seq` of the last message before the gap', examples: [120] }),
  }),
  {
    summary:
      'More of the room was missed than can be replayed. Discard what you keep of it from before, and read it anew over HTTP: edits and deletions of older messages are not told.',
    audience: 'room',
  },
);

export const sendAcknowledged = liveMessage(
  'chat:ack',
  Type.Object({
    clientMessageId: Type.Optional(ClientMessageId),
    messageId: ObjectIdShape,
    chatroomId: ObjectIdShape,
    seq: Type.Integer({ description: 'The sequence number of the message in its room', examples: [121] }),
    timestamp: DateTime,
    duplicate: Type.Boolean({
      description: 'The message was sent before, with the same `clientMessageId`',
      examples: [false],
    }),
  }),
  { summary: 'The message is stored.', audience: 'connection' },
);
