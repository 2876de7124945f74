// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode } from '../codes.ts';
import { feedOf } from '../../pages.ts';
import type * as wire from '../wire.ts';

/** Read the events of the last 30 days, oldest first. `GET /v1/events` For administrator, operator. */
export const listEvents: Operation<{
  query: {
    /** The `nextCursor` of the previous page; without it, the list begins with the oldest stored event */
    after?: string;
    /** Types separated by commas; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
    types?: string;
    /** Events per page; values above 500 are lowered to 500 */
    limit?: number;
  };
  data: wire.PublicEvent[];
  feed: true;
  code: AnyCode | TokenCode | 'CURSOR_EXPIRED' | 'FORBIDDEN';
}> = {
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  pages: feedOf,
};
