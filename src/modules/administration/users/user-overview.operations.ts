import { Type } from 'typebox';
import { administrator } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { type Identity, userNotFound } from '../../identity/contract.ts';
import type { UserOverviewPart } from '../contract.ts';
import { userOverviewShape } from './user-overview.schemas.ts';

export const userOverviewOperations = (
  parts: UserOverviewPart[],
  { exists }: Pick<Identity, 'exists'>,
): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId/overview',
    id: 'getOverviewOfUser',
    tag: 'User administration',
    summary: 'See at a glance what support needs to know of a user',
    access: administrator,
    params: Type.Object({ userId: pathId('user') }),
    success: ok(userOverviewShape(parts)),
    failures: [userNotFound],
    load: async ({ params }) => {
      if (!(await exists(params.userId))) throw userNotFound();
    },
    handle: async ({ params: { userId }, caller }) =>
      Object.fromEntries(
        await Promise.all(parts.map(async ({ name, read }) => [name, await read(userId, caller)])),
      ),
  }),
];
