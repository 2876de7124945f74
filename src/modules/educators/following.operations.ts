import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { notEducator } from '../identity/contract.ts';
import { blocked } from '../moderation/contract.ts';
import { educatorNotFound } from './contract.ts';
import { followOneself } from './failures.ts';
import {
  FollowedEducator,
  FollowShape,
  FollowStatus,
  ListFollowedEducatorsQuery,
  SubscribedOut,
  SubscribeToAllEducatorsResult,
  Unfollowed,
} from './following.schemas.ts';
import type { FollowingRules } from './following.ts';
import type { ProfileRules } from './profiles.ts';

const tag = 'Educators';
const params = Type.Object({ educatorId: pathId('educator') });
const failures = [educatorNotFound, notEducator];

interface FollowingOperationDeps {
  following: FollowingRules;
  profiles: ProfileRules;
}

export const followingOperations = ({ following, profiles }: FollowingOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/following',
    id: 'listFollowedEducators',
    tag,
    summary: 'The educators whom you follow, the newest follow first',
    access: member,
    query: ListFollowedEducatorsQuery,
    success: pageOf(FollowedEducator),
    handle: ({ query, caller }) => following.pageOf(query, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/follow',
    id: 'followEducator',
    tag,
    summary: 'Follow an educator',
    description:
      'Also subscribes to the notifications of their announcements and stories. Repeated, it answers 200 with the follow there is.',
    access: member,
    params,
    success: created(FollowShape, { message: 'Following', alternative: 200 }),
    failures: [...failures, followOneself, blocked],
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: async ({ loaded, caller }) => {
      const { follow, isNew } = await following.follow(loaded.id, caller);
      return isNew ? follow : answer(follow, { status: 200, message: 'You follow them already' });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/educators/:educatorId/follow',
    id: 'unfollowEducator',
    tag,
    summary: 'Follow an educator no longer',
    description:
      'Also ends the notifications. It works for a former educator too, and changes nothing where you do not follow.',
    access: member,
    params,
    success: ok(Unfollowed, { message: 'Unfollowed' }),
    failures,
    load: async ({ params: { educatorId }, caller }) => {
      const { isFollowing } = await following.statusOf(educatorId, caller);
      // If the caller follows them, no other check is needed.
      if (!isFollowing) await profiles.educatorOf(educatorId);
      return educatorId;
    },
    handle: async ({ loaded, caller }) => {
      await following.unfollow(loaded, caller);
      return { educatorId: loaded, isFollowing: false };
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/following',
    id: 'getFollowStatus',
    tag,
    summary: 'Whether you follow an educator',
    access: member,
    params,
    success: ok(FollowStatus),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, caller }) => following.statusOf(loaded.id, caller),
  }),
  ...([true, false] as const).map((subscribed) =>
    operation({
      method: 'POST',
      path: `/v1/educators/:educatorId/notifications/${subscribed ? 'subscribe' : 'unsubscribe'}`,
      id: subscribed ? 'subscribeToEducator' : 'unsubscribeFromEducator',
      tag,
      summary: subscribed
        ? 'Be notified of announcements and stories of an educator'
        : 'Be notified of them no longer',
      description: subscribed
        ? 'With or without following.'
        : 'Holds although you subscribe to all educators later, until you subscribe to this one or follow again.',
      access: member,
      params,
      success: ok(SubscribedOut, { message: subscribed ? 'Subscribed' : 'Unsubscribed' }),
      failures,
      load: ({ params }) => profiles.educatorOf(params.educatorId),
      handle: async ({ loaded: { id: educatorId }, caller }) => {
        await following[subscribed ? 'subscribe' : 'unsubscribe'](educatorId, caller.userId);
        return { educatorId, subscribed };
      },
    }),
  ),
  operation({
    method: 'POST',
    path: '/v1/educators/notifications/subscribe-all',
    id: 'subscribeToAllEducators',
    tag,
    summary: 'Be notified of announcements and stories of all current educators',
    description: 'For every sign-in: it is cheap, and leaves out those whom you unsubscribed from.',
    access: member,
    success: ok(SubscribeToAllEducatorsResult, {
      message: 'Subscribed to all educators',
    }),
    handle: async ({ caller }) => ({ count: await following.subscribeToAll(caller.userId) }),
  }),
];
