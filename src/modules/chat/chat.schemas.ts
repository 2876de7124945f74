import { Type } from 'typebox';
import { asRead } from '../../kernel/operations/lost-updates.ts';
import {
  confidential,
  DateTime,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape, NamedMemberShape } from '../identity/contract.ts';
import { EarlierTexts, REPORT_STATUSES } from '../moderation/contract.ts';
import { MAX_LISTED } from '../presence/contract.ts';
import { MAX_BEGINNING_LENGTH } from './messages.model.ts';
import { MOST_UNREAD, ROOM_TYPES, SHOWN_MEMBERS, SHOWN_ROOMS } from './rooms.model.ts';

export const RoomTypeShape = oneOf(ROOM_TYPES, {
  description:
    '`public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added',
  examples: ['public'],
});
const SlowMode = Type.Integer({
  minimum: 0,
  maximum: 21_600,
  description: 'Minimum seconds between two messages of a member; 0 for no minimum',
  examples: [0],
});

const Rules = Type.Array(confidential(readableText(200, { examples: ['Be kind.'] })), {
  maxItems: 20,
  description: 'Rules of the chatroom, for its members',
});

/** A member, with the fields that the specification gives the authors of messages. */
export const AuthorShape = Type.Object(
  {
    ...NamedMemberShape.properties,
    rankBadgeUrl: nullable(Type.String({ examples: ['https://cdn.example.com/gold.png'] })),
  },
  { $id: 'MessageAuthor' },
);

const LastMessage = Type.Object(
  {
    id: ObjectIdShape,
    userId: ObjectIdShape,
    user: AuthorShape,
    message: Type.String({
      description: `The first ${MAX_BEGINNING_LENGTH} characters, ending in \`…\` when there are more`,
      examples: ['Gold breaks out!'],
    }),
    createdAt: DateTime,
  },
  { description: 'The newest message; null if there is none, or you may not read it' },
);

const UNREAD = `Messages of others that you have not read, among the newest ${MOST_UNREAD}`;
export const UnreadCount = Type.Integer({ description: UNREAD, examples: [4] });

export const ReadMessageId = { ...ObjectIdShape, description: 'The message that was marked' };

export const ReadSeq = Type.Integer({
  description:
    'Up to where you have read by now, maybe further on another device: live messages with a greater `seq` are not in `unreadCount` yet',
  examples: [121],
});

export const ReadPosition = Type.Object(
  { chatroomId: ObjectIdShape, messageId: ReadMessageId, seq: ReadSeq, unreadCount: UnreadCount },
  { $id: 'ReadPosition' },
);

export const RoomShape = Type.Object(
  {
    id: ObjectIdShape,
    name: Type.String({ examples: ['Gold'] }),
    description: Type.String({ examples: ['All about gold'] }),
    rules: Rules,
    type: RoomTypeShape,
    memberCount: Type.Integer({ examples: [12] }),
    joined: Type.Boolean({ description: 'Whether you are a member' }),
    mutedUntil: nullable({ ...DateTime, description: 'Until when you are muted in it; null if you are not' }),
    members: Type.Array(MemberShape, {
      maxItems: SHOWN_MEMBERS,
      description: `Of a chatroom that is not public up to ${SHOWN_MEMBERS} of the other members, for its title: with a \`memberCount\` of 2 the one to whom you write. Empty for public ones`,
    }),
    activeNow: Type.Integer({ description: 'Members who are connected to it now', examples: [3] }),
    lastMessageAt: nullable({
      ...DateTime,
      description: 'When the newest message was sent that is not deleted; null if there is none',
    }),
    lastMessage: nullable(LastMessage),
    unreadCount: { ...UnreadCount, description: `${UNREAD}; 0 if you are not a member` },
    notificationsEnabled: Type.Boolean({
      description: 'Whether you are notified of new messages; public chatrooms never notify',
    }),
    createdBy: ObjectIdShape,
    createdAt: DateTime,
    updatedAt: {
      ...DateTime,
      description: 'When its texts, type, slow mode or owner were last changed',
    },
    slowModeSeconds: SlowMode,
    lastSeq: Type.Integer({ description: 'The sequence number of its newest event', examples: [120] }),
  },
  { $id: 'Chatroom' },
);

// Most rooms are not public, and a room that is refused is none yet.
const name = confidential(nameText(100, { examples: ['Gold'] }));
const description = confidential(optionalText(1000, { examples: ['All about gold'] }));
export const RoomInBody = Type.Object({
  name,
  description: Type.Optional(description),
  rules: Type.Optional(Rules),
  type: RoomTypeShape,
});
export const RoomChangesInBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  rules: Type.Optional(Rules),
  type: Type.Optional(RoomTypeShape),
  slowModeSeconds: Type.Optional(SlowMode),
  ...asRead,
});

export const MessageShape = Type.Object(
  {
    id: ObjectIdShape,
    chatroomId: ObjectIdShape,
    userId: ObjectIdShape,
    user: AuthorShape,
    message: Type.String({ examples: ['Gold breaks out!'] }),
    createdAt: DateTime,
    editedAt: nullable(DateTime),
    seq: Type.Integer({ description: 'Its sequence number in the room', examples: [120] }),
  },
  { $id: 'ChatMessage' },
);

export const RoomMemberShape = Type.Object(
  {
    userId: ObjectIdShape,
    user: MemberShape,
    role: oneOf(['owner', 'member']),
    joinedAt: DateTime,
    mutedUntil: nullable({
      ...DateTime,
      description: 'Null also for those who neither are this member nor moderate the chatroom',
    }),
    online: nullable(
      Type.Boolean({
        description: `Whether they are connected to the chatroom now; false if a block parts you, null while more than ${MAX_LISTED} members are`,
      }),
    ),
  },
  { $id: 'ChatroomMember' },
);

export const ReportShape = Type.Object(
  {
    id: ObjectIdShape,
    messageId: ObjectIdShape,
    chatroomId: ObjectIdShape,
    reportedBy: nullable({ ...ObjectIdShape, description: 'Null in reports of your own messages' }),
    reason: Type.String({ examples: ['Spam'] }),
    status: oneOf(REPORT_STATUSES),
    message: Type.String({ description: 'What was said' }),
    messageUserId: ObjectIdShape,
    createdAt: DateTime,
    resolvedAt: nullable(DateTime),
    resolvedBy: nullable(ObjectIdShape),
    earlierTexts: EarlierTexts,
  },
  { $id: 'ChatReport' },
);

/** The report as its author sees it. */
export const SentReportShape = Type.Object(
  {
    ...Type.Omit(ReportShape, ['earlierTexts']).properties,
    message: nullable(
      Type.String({
        description: 'What was said; null if you cannot read it, or no longer',
        examples: ['Buy now!'],
      }),
    ),
  },
  { $id: 'SentChatReport' },
);

const StandingRoom = {
  roomId: ObjectIdShape,
  name: Type.String({ examples: ['Trading floor'] }),
};

/** The rooms in which a member is restricted, as administrators see them. */
export const StandingsShape = Type.Object(
  {
    muted: Type.Array(Type.Object({ ...StandingRoom, until: DateTime })),
    banned: Type.Array(Type.Object({ ...StandingRoom, since: DateTime })),
  },
  { description: `At most ${SHOWN_ROOMS} of each` },
);
