import { Type } from 'typebox';
import { member, notEducator } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { banned, creatorStays, notMember } from '../chat/contract.ts';
import { type EducatorRules, educatorNotFound } from './educators.ts';

const tag = 'Educators';
const params = Type.Object({ educatorId: pathId('educator') });
const failures = [educatorNotFound, notEducator];
const roomFailures = [...failures, notMember, banned];
const ChatroomShape = Type.Object(
  {
    educatorId: ObjectIdShape,
    chatroomId: ObjectIdShape,
    name: Type.String({ examples: ['Ada L'] }),
    description: Type.String(),
    rules: Type.Array(Type.String({ examples: ['Be kind.'] })),
    memberCount: Type.Integer({ examples: [12] }),
    isActive: Type.Boolean(),
    lastMessage: Type.Unsafe<{ content: string; timestamp: Date } | null>({
      type: ['object', 'null'],
      properties: { content: { type: 'string' }, timestamp: DateTime },
      required: ['content', 'timestamp'],
    }),
  },
  { $id: 'EducatorChatroom' },
);
const SubscribedOut = Type.Object({ educatorId: ObjectIdShape, subscribed: Type.Boolean() });

export const educatorOperations = (educators: EducatorRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/chatroom',
    id: 'getEducatorChatroom',
    tag,
    summary: 'The chatroom of an educator',
    description: 'Made when it is first asked for; `chatroomId` is its name among `/v1/chatrooms`.',
    access: member,
    params,
    success: ok(ChatroomShape),
    failures: roomFailures,
    load: ({ params }) => educators.mustBeEducator(params.educatorId),
    handle: ({ params, caller }) => educators.chatroomOf(params.educatorId, caller),
  }),
  ...(['join', 'leave'] as const).map((what) =>
    operation({
      method: 'POST',
      path: `/v1/educators/:educatorId/chatroom/${what}`,
      id: `${what}EducatorChatroom`,
      tag,
      summary: what === 'join' ? 'Join the chatroom of an educator' : 'Leave it',
      description: 'Doing it again changes nothing.',
      access: member,
      params,
      success: ok(ChatroomShape, { message: what === 'join' ? 'Joined' : 'Left' }),
      failures: [...roomFailures, creatorStays],
      load: ({ params }) => educators.mustBeEducator(params.educatorId),
      handle: ({ params, caller }) => educators[what](params.educatorId, caller),
    }),
  ),
  ...([true, false] as const).map((subscribed) =>
    operation({
      method: 'POST',
      path: `/v1/educators/:educatorId/notifications/${subscribed ? 'subscribe' : 'unsubscribe'}`,
      id: subscribed ? 'subscribeToEducator' : 'unsubscribeFromEducator',
      tag,
      summary: subscribed ? 'Be notified of what an educator announces' : 'Be notified of it no more',
      access: member,
      params,
      success: ok(SubscribedOut, { message: subscribed ? 'Subscribed' : 'Unsubscribed' }),
      failures,
      load: ({ params }) => educators.mustBeEducator(params.educatorId),
      handle: async ({ params: { educatorId }, caller }) => {
        await educators[subscribed ? 'subscribe' : 'unsubscribe'](educatorId, caller.userId);
        return { educatorId, subscribed };
      },
    }),
  ),
  operation({
    method: 'POST',
    path: '/v1/educators/notifications/subscribe-all',
    id: 'subscribeToAllEducators',
    tag,
    summary: 'Be notified of what all current educators announce',
    access: member,
    success: ok(Type.Object({ count: Type.Integer({ description: 'Educators', examples: [7] }) }), {
      message: 'Subscribed to all educators',
    }),
    handle: async ({ caller }) => ({ count: await educators.subscribeToAll(caller.userId) }),
  }),
];
