import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { educator } from '../identity/contract.ts';
import { blocked, muted } from '../moderation/contract.ts';
import {
  CommunityMemberShape,
  CommunityShape,
  CreateCommunityBody,
  Gone,
  ListCommunitiesQuery,
  ListCommunityMembersQuery,
  UpdateCommunityBody,
} from './community.schemas.ts';
import type { CommunityRules } from './community.ts';
import type { CommunityRemoval } from './community-removal.ts';
import { bannedFromCommunity, communityNotFound } from './failures.ts';

const tag = 'Communities';
const OF_CREATOR = 'Requires its creator or a moderator, who tells the creator the `reason`.';
const params = Type.Object({ communityId: pathId('community') });

export const communityOperations = (
  communities: CommunityRules,
  removal: Pick<CommunityRemoval, 'delete'>,
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/communities',
    id: 'listCommunities',
    tag,
    summary: 'List communities, newest first',
    access: member,
    query: ListCommunitiesQuery,
    success: pageOf(CommunityShape),
    handle: ({ query: { joined, search, ...request }, caller }) =>
      communities.pageOf({ joined, search }, request, caller.userId),
  }),
  operation({
    method: 'POST',
    path: '/v1/communities',
    id: 'createCommunity',
    tag,
    summary: 'Create a community',
    access: educator,
    idempotent: true,
    body: CreateCommunityBody,
    success: created(CommunityShape, { message: 'Community created' }),
    failures: [muted],
    handle: ({ body: { name, description = '' }, caller, idempotency }) =>
      communities.create({ name: name.trim(), description }, caller, idempotency),
  }),
  operation({
    method: 'GET',
    path: '/v1/communities/:communityId',
    id: 'getCommunity',
    tag,
    summary: 'Retrieve a community',
    access: member,
    params,
    success: ok(CommunityShape),
    failures: [communityNotFound],
    handle: ({ params, caller }) => communities.findFor(params.communityId, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/communities/:communityId/members',
    id: 'listCommunityMembers',
    tag,
    summary: 'List the members of a community',
    access: member,
    params,
    query: ListCommunityMembersQuery,
    success: pageOf(CommunityMemberShape),
    failures: [communityNotFound],
    load: ({ params }) => communities.find(params.communityId),
    handle: ({ loaded: community, query }) => communities.membersOf(community, query),
  }),
  operation({
    method: 'PUT',
    path: '/v1/communities/:communityId',
    id: 'updateCommunity',
    tag,
    summary: 'Update a community',
    description: `${OF_CREATOR} Fields that are left out keep their values.`,
    access: member,
    params,
    isAlsoForStaff: true,
    body: UpdateCommunityBody,
    success: ok(CommunityShape, { message: 'Community updated' }),
    failures: [communityNotFound, insufficientPermissions, muted, changedMeanwhile],
    load: ({ params, caller }) => communities.managed(params.communityId, caller),
    handle: async ({ loaded: community, body, caller, facts }) => {
      await communities.update(community, body, caller, facts);
      return communities.findFor(community.id, caller.userId);
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/communities/:communityId',
    id: 'deleteCommunity',
    tag,
    summary: 'Delete a community with its posts',
    description: OF_CREATOR,
    access: member,
    params,
    isAlsoForStaff: true,
    success: Gone,
    failures: [communityNotFound, insufficientPermissions],
    load: ({ params, caller }) => communities.managed(params.communityId, caller),
    handle: async ({ loaded: community, caller, facts }) => {
      await removal.delete(community, caller, facts);
      return { id: community.id };
    },
  }),
  ...(['join', 'leave'] as const).map((what) =>
    operation({
      method: 'POST',
      path: `/v1/communities/:communityId/${what}`,
      id: `${what}Community`,
      tag,
      summary: what === 'join' ? 'Join a community' : 'Leave a community',
      description: 'Repeating the request has no further effect.',
      access: member,
      params,
      isRepeatable: true,
      success: ok(CommunityShape, { message: what === 'join' ? 'Joined' : 'Left' }),
      failures: what === 'join' ? [communityNotFound, blocked, bannedFromCommunity] : [communityNotFound],
      load: ({ params }) => communities.find(params.communityId),
      handle: ({ loaded: community, caller }) => communities[what](community, caller.userId),
    }),
  ),
];
