// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the processes that hold live connections. `GET /v1/admin/live` For administrator. */
export const listLiveNodes: Operation<{
  data: wire.LiveNode[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listLiveNodes',
  method: 'GET',
  path: '/v1/admin/live',
};

/** List the live connections of all members or of one, newest first. `GET /v1/admin/live/connections` For administrator. */
export const listLiveConnections: Operation<{
  query: {
    userId?: wire.ObjectId;
  };
  data: wire.LiveConnection[];
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listLiveConnections',
  method: 'GET',
  path: '/v1/admin/live/connections',
};

/** Close a live connection. `DELETE /v1/admin/live/connections/{id}` For administrator. */
export const closeLiveConnection: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.CloseLiveConnectionResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'closeLiveConnection',
  method: 'DELETE',
  path: '/v1/admin/live/connections/{id}',
  fill: filled,
};
