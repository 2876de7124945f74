import { Type } from 'typebox';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { banned, creatorStays, notMember } from '../../chat/contract.ts';
import { notEducator } from '../../identity/contract.ts';
import { blocked } from '../../moderation/contract.ts';
import { educatorNotFound } from '../contract.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import { ChatroomShape } from './chatrooms.schemas.ts';
import type { ChatroomRules } from './chatrooms.ts';

const tag = 'Educators';
const params = Type.Object({ educatorId: pathId('educator') });
const failures = [educatorNotFound, notEducator, notMember, banned];

interface ChatroomOperationDeps {
  chatrooms: ChatroomRules;
  profiles: ProfileRules;
}

export const chatroomOperations = ({ chatrooms, profiles }: ChatroomOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/chatroom',
    id: 'getEducatorChatroom',
    tag,
    summary: 'Retrieve the chatroom of an educator',
    description:
      'The chatroom is created by the first request for it. `chatroomId` identifies it under `/v1/chatrooms`.',
    access: member,
    params,
    success: ok(ChatroomShape),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, caller }) => chatrooms.of(loaded, caller),
  }),
  ...(['join', 'leave'] as const).map((what) =>
    operation({
      method: 'POST',
      path: `/v1/educators/:educatorId/chatroom/${what}`,
      id: `${what}EducatorChatroom`,
      tag,
      summary: what === 'join' ? 'Join the chatroom of an educator' : 'Leave the chatroom of an educator',
      description: 'Repeating the request has no further effect.',
      access: member,
      params,
      isRepeatable: true,
      success: ok(ChatroomShape, { message: what === 'join' ? 'Joined' : 'Left' }),
      failures: [...failures, creatorStays, blocked],
      load: ({ params }) => profiles.educatorOf(params.educatorId),
      handle: ({ loaded, caller }) => chatrooms[what](loaded, caller),
    }),
  ),
];
