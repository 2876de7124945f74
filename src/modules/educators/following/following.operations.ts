import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import {
  answer,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { educator, notEducator } from '../../identity/contract.ts';
import { blocked, youBlocked } from '../../moderation/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { followOneself } from '../failures.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import {
  FollowedEducator,
  FollowShape,
  FollowStatus,
  ListEducatorFollowersQuery,
  ListFollowedEducatorsQuery,
  SubscribedOut,
  SubscribeToAllEducatorsResult,
  Unfollowed,
} from './following.schemas.ts';
import type { FollowingRules } from './following.ts';

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
    summary: 'List the educators you follow, newest follow first',
    access: member,
    query: ListFollowedEducatorsQuery,
    success: pageOf(FollowedEducator),
    handle: ({ query, caller }) => following.pageOf(momentPageOf(query), caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/followers',
    id: 'listEducatorFollowers',
    tag,
    summary: 'List the followers of an educator, newest follow first',
    description: 'Requires the educator or an administrator.',
    access: educator,
    params,
    query: ListEducatorFollowersQuery,
    success: pageOf(FollowShape),
    failures: [...failures, insufficientPermissions],
    load: ({ params, caller }) => profiles.managed(params.educatorId, caller),
    handle: ({ loaded, query }) => following.followersOf(loaded.id, momentPageOf(query)),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/follow',
    id: 'followEducator',
    tag,
    summary: 'Follow an educator',
    description:
      'Also subscribes you to notifications of their announcements and stories. If you already follow the educator, the existing follow is returned with status 200.',
    access: member,
    params,
    idempotent: 'by-nature',
    success: created(FollowShape, { message: 'Following', alternative: 200 }),
    failures: [...failures, followOneself, blocked, youBlocked],
    load: ({ params }) => profiles.activeOf(params.educatorId),
    handle: async ({ loaded, caller }) => {
      const { follow, isNew } = await following.follow(loaded.id, caller);
      return isNew ? follow : answer(follow, { status: 200, message: 'You already follow this educator' });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/educators/:educatorId/follow',
    id: 'unfollowEducator',
    tag,
    summary: 'Unfollow an educator',
    description:
      'Also unsubscribes you from their notifications. Works for former educators, too, and has no effect if you do not follow the educator.',
    access: member,
    params,
    success: ok(Unfollowed, { message: 'Unfollowed' }),
    failures,
    load: async ({ params: { educatorId }, caller }) => {
      const isFollowing = await following.isFollowing(educatorId, caller);
      // An existing follow needs no other check.
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
    summary: 'Check whether you follow an educator',
    access: member,
    params,
    success: ok(FollowStatus),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, caller }) => following.statusOf(loaded, caller),
  }),
  ...([true, false] as const).map((subscribed) =>
    operation({
      method: 'POST',
      path: `/v1/educators/:educatorId/notifications/${subscribed ? 'subscribe' : 'unsubscribe'}`,
      id: subscribed ? 'subscribeToEducator' : 'unsubscribeFromEducator',
      tag,
      summary: subscribed
        ? "Subscribe to notifications of an educator's announcements and stories"
        : 'Unsubscribe from notifications of an educator',
      description: subscribed
        ? 'With or without following.'
        : 'Remains in effect if you later subscribe to all educators, until you subscribe to or follow this educator again.',
      access: member,
      params,
      isRepeatable: true,
      success: ok(SubscribedOut, { message: subscribed ? 'Subscribed' : 'Unsubscribed' }),
      failures: subscribed ? [...failures, blocked, youBlocked] : failures,
      load: ({ params }) => profiles[subscribed ? 'activeOf' : 'educatorOf'](params.educatorId),
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
    summary: 'Subscribe to notifications of all current educators',
    description:
      'Intended to be called after every sign-in: it is cheap, and skips educators you have unsubscribed from.',
    access: member,
    isRepeatable: true,
    success: ok(SubscribeToAllEducatorsResult, {
      message: 'Subscribed to all educators',
    }),
    handle: async ({ caller }) => ({ count: await following.subscribeToAll(caller.userId) }),
  }),
];
