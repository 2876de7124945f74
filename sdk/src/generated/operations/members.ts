// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Look up members by their ids. `GET /v1/members` For member. */
export const listMembers: Operation<{
  query: {
    /** Ids of members, separated by commas, at most 100 */
    ids: string;
  };
  data: wire.Member[];
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listMembers',
  method: 'GET',
  path: '/v1/members',
};

/** Look up a member. `GET /v1/members/{id}` For member. */
export const getMember: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.SeenMember;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getMember',
  method: 'GET',
  path: '/v1/members/{id}',
  fill: filled,
};
