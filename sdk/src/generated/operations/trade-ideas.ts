// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List trade ideas, newest first. `GET /v1/trades` For member. */
export const listTrades: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    symbol?: string;
    status?: 'open' | 'won' | 'lost' | 'even';
    userId?: wire.ObjectId;
  };
  data: wire.Trade[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listTrades',
  method: 'GET',
  path: '/v1/trades',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Create a trade idea. `POST /v1/trades` For member. */
export const createTrade: Operation<{
  body: wire.CreateTradeBody;
  data: wire.Trade;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'MUTED';
}> = {
  id: 'createTrade',
  method: 'POST',
  path: '/v1/trades',
  isIdempotent: true,
};

/** Retrieve a trade idea. `GET /v1/trades/{tradeId}` For member. */
export const getTrade: Operation<{
  params: {
    tradeId: wire.ObjectId;
  };
  data: wire.Trade;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getTrade',
  method: 'GET',
  path: '/v1/trades/{tradeId}',
  fill: filled,
};

/** Change a trade idea. `PUT /v1/trades/{tradeId}` For member. */
export const updateTrade: Operation<{
  params: {
    tradeId: wire.ObjectId;
  };
  body: wire.UpdateTradeBody;
  data: wire.Trade;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'MUTED' | 'NOT_FOUND' | 'TRADE_CLOSED';
}> = {
  id: 'updateTrade',
  method: 'PUT',
  path: '/v1/trades/{tradeId}',
  fill: filled,
};

/** Delete a trade idea. `DELETE /v1/trades/{tradeId}` For member. */
export const deleteTrade: Operation<{
  params: {
    tradeId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteTrade',
  method: 'DELETE',
  path: '/v1/trades/{tradeId}',
  fill: filled,
};

/** Close a trade idea. `POST /v1/trades/{tradeId}/close` For member. */
export const closeTrade: Operation<{
  params: {
    tradeId: wire.ObjectId;
  };
  body: wire.CloseTradeBody;
  data: wire.Trade;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'TRADE_CLOSED';
}> = {
  id: 'closeTrade',
  method: 'POST',
  path: '/v1/trades/{tradeId}/close',
  fill: filled,
};
