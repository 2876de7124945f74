import { Type } from 'typebox';
import { member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { MemberShape, userNotFound } from '../identity/contract.ts';
import { MemberIdsQuery, SeenMember } from './members.schemas.ts';
import type { MemberRules } from './members.ts';

const tag = 'Members';

export const memberOperations = (members: MemberRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/members',
    id: 'listMembers',
    tag,
    summary: 'Look up members by their ids',
    description:
      'Returns them in the order of the ids, each once. Deleted members, unknown ids, and members who have blocked you or whom you have blocked are absent.',
    access: member,
    query: MemberIdsQuery,
    success: ok(Type.Array(MemberShape)),
    handle: ({ query, caller }) => members.visibleTo(caller, query.ids.split(',')),
  }),
  operation({
    method: 'GET',
    path: '/v1/members/:id',
    id: 'getMember',
    tag,
    summary: 'Look up a member',
    access: member,
    params: Type.Object({ id: pathId('user') }),
    success: ok(SeenMember),
    failures: [userNotFound],
    handle: ({ params, caller }) => members.get(caller, params.id),
  }),
];
