import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, operation, pageOf } from '../../kernel/operations/operation.ts';
import { userNotFound } from '../identity/contract.ts';
import type { BanRules } from './bans.ts';
import { CommunityBannedOut, CommunityBanShape, ListCommunityBansQuery } from './community.schemas.ts';
import type { CommunityRules } from './community.ts';
import { communityNotFound, creatorNotBanned } from './failures.ts';

const tag = 'Communities';
const description = 'Requires the creator of the community or a moderator';

export const banOperations = (communities: Pick<CommunityRules, 'managed'>, bans: BanRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/communities/:communityId/bans',
    id: 'listCommunityBans',
    tag,
    summary: 'List who is banned from a community',
    description: `${description}.`,
    access: member,
    params: Type.Object({ communityId: pathId('community') }),
    query: ListCommunityBansQuery,
    success: pageOf(CommunityBanShape),
    failures: [communityNotFound, insufficientPermissions],
    load: ({ params, caller }) => communities.managed(params.communityId, caller),
    handle: ({ loaded: community, query }) => bans.pageOf(community, query),
  }),
  ...([true, false] as const).map((isBan) =>
    operation({
      method: isBan ? 'PUT' : 'DELETE',
      path: '/v1/communities/:communityId/members/:userId/ban',
      id: isBan ? 'banCommunityMember' : 'unbanCommunityMember',
      tag,
      summary: isBan ? 'Ban a member from a community' : 'Lift the ban of a member from a community',
      description: isBan
        ? `${description}, of whom the audit log has the \`reason\`. The member is removed, and can neither join again nor post, comment or react there. What they have written stays.`
        : `${description}, of whom the audit log has the \`reason\`. The member can join again.`,
      access: member,
      params: Type.Object({ communityId: pathId('community'), userId: pathId('user') }),
      isAlsoForStaff: true,
      success: CommunityBannedOut,
      failures: [
        communityNotFound,
        insufficientPermissions,
        ...(isBan ? [userNotFound, creatorNotBanned] : []),
      ],
      load: ({ params, caller }) => communities.managed(params.communityId, caller),
      handle: async ({ loaded: community, params, caller, facts }) => {
        await bans[isBan ? 'ban' : 'unban'](community, params.userId, { caller, facts });
        return { ...params, banned: isBan };
      },
    }),
  ),
];
