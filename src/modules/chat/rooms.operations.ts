import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { idPageOf, momentPageOf } from '../../kernel/operations/moments.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../kernel/operations/shapes.ts';
import { userNotFound } from '../identity/contract.ts';
import { blocked, muted } from '../moderation/contract.ts';
import { announcedAnswer } from '../notifications/contract.ts';
import { ADDED_MEMBERS, NEW_ROOMS, NEW_ROOMS_OF_EDUCATORS } from './allowances.ts';
import { RoomChangesInBody, RoomInBody, RoomMemberShape, RoomShape } from './chat.schemas.ts';
import { banned, creatorStays, notMember, roomNotFound } from './contract.ts';
import {
  educatorRoomStays,
  memberLeft,
  memberNotFound,
  ownerHasTooManyRooms,
  roomHasHistory,
  tooManyAdded,
  tooManyNewRooms,
  tooManyRooms,
} from './failures.ts';
import type { OwnerRules } from './owners.ts';
import { LEFT_ALONE_DAYS, MAX_RECEIVED_ROOMS } from './rooms.model.ts';
import {
  AddChatroomMemberBody,
  HandOnChatroomBody,
  ListChatroomMembersQuery,
  ListChatroomsQuery,
  Removed,
} from './rooms.schemas.ts';
import type { RoomRules } from './rooms.ts';

const tag = 'Chatrooms';
const params = Type.Object({ chatroomId: pathId('chatroom') });
const paramsWithUser = Type.Object({ chatroomId: pathId('chatroom'), userId: pathId('user') });

export const roomOperations = (rooms: RoomRules, owners: OwnerRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/chatrooms',
    id: 'listChatrooms',
    tag,
    summary: 'List public chatrooms and those you are a member of',
    description:
      'The overview of a chat app is `?joined=true&sort=active`. Moderators see all chatrooms, and can read them, which the audit log has if they are not in them and they are not public; `lastMessage` is null for them then.',
    access: member,
    query: ListChatroomsQuery,
    success: pageOf(RoomShape),
    handle: ({ query: { type, search, joined, sort, ...request }, caller }) =>
      rooms.pageOf(
        { type, search, joined, sort },
        sort === 'active' ? momentPageOf(request) : idPageOf(request),
        caller,
      ),
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms',
    id: 'createChatroom',
    tag,
    summary: 'Create a chatroom',
    description: `A member can create ${NEW_ROOMS.limit} an hour, an educator ${NEW_ROOMS_OF_EDUCATORS.limit}.`,
    access: member,
    idempotent: true,
    body: RoomInBody,
    success: created(RoomShape, { message: 'Chatroom created' }),
    failures: [muted, tooManyRooms, () => tooManyNewRooms(1)],
    handle: ({ body: { name, description = '', rules = [], type }, caller, idempotency }) =>
      rooms.create({ name: name.trim(), description, rules, type }, caller, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/chatrooms/:chatroomId',
    id: 'getChatroom',
    tag,
    summary: 'Retrieve a chatroom',
    access: member,
    params,
    success: ok(RoomShape),
    failures: [roomNotFound, notMember, banned],
    handle: async ({ params, caller }) => rooms.view(await rooms.readable(params.chatroomId, caller), caller),
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId',
    id: 'updateChatroom',
    tag,
    summary: 'Update a chatroom',
    description:
      'Requires its creator, an administrator or, for `name`, `description` and `rules`, a moderator; both tell the creator the `reason`. Fields that are left out keep their values. A chatroom that is not public can become so only while nobody else is in it or has written in it. Its members are told by `chat:room-updated`.',
    access: member,
    params,
    isAlsoForStaff: true,
    body: RoomChangesInBody,
    success: ok(RoomShape, { message: 'Chatroom updated' }),
    failures: [roomNotFound, insufficientPermissions, roomHasHistory, muted, changedMeanwhile],
    load: ({ params, caller }) => rooms.moderated(params.chatroomId, caller),
    handle: async ({ params, body, caller, facts }) => {
      const changes = body.name === undefined ? body : { ...body, name: body.name.trim() };
      const { room, isAnnounced } = await rooms.update(params.chatroomId, changes, caller, facts);
      return announcedAnswer(room, 'Chatroom updated', isAnnounced);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/chatrooms/:chatroomId',
    id: 'deleteChatroom',
    tag,
    summary: 'Delete a chatroom',
    description:
      'Requires its creator or an administrator, who tells the creator the `reason`. Its members are told by `chat:removed`, and their notifications about it go.',
    access: member,
    params,
    isAlsoForStaff: true,
    success: ok(DeletedRecord, { message: 'Chatroom deleted' }),
    failures: [roomNotFound, insufficientPermissions],
    load: ({ params, caller }) => rooms.owned(params.chatroomId, caller),
    handle: async ({ loaded: room, caller, facts }) => {
      await rooms.delete(room, caller, facts);
      return { id: room.id };
    },
  }),
  operation({
    method: 'PUT',
    path: '/v1/chatrooms/:chatroomId/owner',
    id: 'handOnChatroom',
    tag,
    summary: 'Hand on a chatroom to one of its members',
    description: `Requires its creator, who stays in it as a member, or an administrator, who tells the creator the \`reason\`. \`createdBy\` is the new owner then, who is notified. Nobody who has ${MAX_RECEIVED_ROOMS} chatrooms gets another one, and the chatroom of an educator stays theirs.`,
    access: member,
    params,
    isAlsoForStaff: true,
    body: HandOnChatroomBody,
    success: ok(RoomShape, { message: 'Chatroom handed on' }),
    failures: [
      roomNotFound,
      insufficientPermissions,
      memberNotFound,
      blocked,
      ownerHasTooManyRooms,
      educatorRoomStays,
    ],
    load: ({ params, caller }) => rooms.owned(params.chatroomId, caller),
    handle: async ({ loaded: { id }, body: { userId }, caller, facts }) => {
      const { room, isAnnounced } = await owners.handOn(id, userId, caller, facts);
      return announcedAnswer(await rooms.view(room, caller), 'Chatroom handed on', isAnnounced);
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/join',
    id: 'joinChatroom',
    tag,
    summary: 'Join a public chatroom',
    description:
      'Repeating the request has no further effect. Private and group chatrooms cannot be joined; their creator adds members.',
    access: member,
    params,
    isRepeatable: true,
    success: ok(RoomShape, { message: 'Joined' }),
    failures: [roomNotFound, notMember, banned, blocked],
    handle: ({ params, caller }) => rooms.join(params.chatroomId, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/leave',
    id: 'leaveChatroom',
    tag,
    summary: 'Leave a chatroom',
    access: member,
    params,
    success: ok(RoomShape, { message: 'Left' }),
    failures: [roomNotFound, notMember, banned, creatorStays],
    handle: ({ params, caller }) => rooms.leave(params.chatroomId, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/chatrooms/:chatroomId/members',
    id: 'listChatroomMembers',
    tag,
    summary: 'List the members of a chatroom',
    access: member,
    params,
    query: ListChatroomMembersQuery,
    success: pageOf(RoomMemberShape),
    failures: [roomNotFound, notMember, banned],
    load: ({ params, caller }) => rooms.readable(params.chatroomId, caller),
    handle: ({ loaded: room, query, caller }) => rooms.membersOf(room, query, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/chatrooms/:chatroomId/members',
    id: 'addChatroomMember',
    tag,
    summary: 'Add a member to a chatroom',
    description: `Requires its creator or an administrator, who tells the creator the \`reason\`, also of adding themselves. Whoever left the chatroom is not added to it for ${LEFT_ALONE_DAYS} days, unless by an administrator; a public one they can join by themselves. A member can add others ${ADDED_MEMBERS.limit} times an hour.`,
    access: member,
    params,
    isAlsoForStaff: true,
    idempotent: 'by-nature',
    body: AddChatroomMemberBody,
    success: created(RoomShape, { message: 'Member added' }),
    failures: [
      roomNotFound,
      insufficientPermissions,
      userNotFound,
      banned,
      blocked,
      memberLeft,
      () => tooManyAdded(1),
    ],
    load: ({ params, caller }) => rooms.owned(params.chatroomId, caller),
    handle: ({ loaded: room, body, caller, facts }) => rooms.add(room, body.userId, caller, facts),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/chatrooms/:chatroomId/members/:userId',
    id: 'removeChatroomMember',
    tag,
    summary: 'Remove a member from a chatroom',
    description:
      'Requires its creator or an administrator, of whom the audit log has the `reason`. Connections of the member are unsubscribed from the room immediately, and told by `chat:removed`.',
    access: member,
    params: paramsWithUser,
    isAlsoForStaff: true,
    success: ok(Removed, { message: 'Member removed' }),
    failures: [roomNotFound, insufficientPermissions, memberNotFound, creatorStays],
    load: ({ params, caller }) => rooms.owned(params.chatroomId, caller),
    handle: async ({ loaded: room, params, caller, facts }) => {
      await rooms.remove(room, params.userId, { caller, facts });
      return params;
    },
  }),
];
