// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Start a watch session. `POST /v1/watch-sessions` For member. */
export const startWatchSession: Operation<{
  body: wire.StartWatchSessionBody;
  data: wire.StartedWatchSession;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'INVALID_ID';
}> = {
  id: 'startWatchSession',
  method: 'POST',
  path: '/v1/watch-sessions',
  isIdempotent: true,
};

/** Send a heartbeat for a watch session. `PUT /v1/watch-sessions/{id}/heartbeat` For member. */
export const beatWatchSession: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.BeatWatchSessionBody;
  data: wire.WatchSession;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND' | 'WATCH_SESSION_ENDED';
}> = {
  id: 'beatWatchSession',
  method: 'PUT',
  path: '/v1/watch-sessions/{id}/heartbeat',
  fill: filled,
};

/** End a watch session. `POST /v1/watch-sessions/{id}/end` For member. */
export const endWatchSession: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.WatchSession;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'endWatchSession',
  method: 'POST',
  path: '/v1/watch-sessions/{id}/end',
  fill: filled,
  isRepeatable: true,
};
