// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Tip an educator. `POST /v1/educators/{educatorId}/tip` For member. */
export const tipEducator: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  body: wire.TipEducatorBody;
  data: wire.Tip;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'BLOCKED' | 'FORBIDDEN' | 'INSUFFICIENT_BALANCE' | 'INVALID_AMOUNT' | 'INVALID_ID' | 'NOT_FOUND' | 'RECIPIENT_UNAVAILABLE' | 'STEP_UP_REQUIRED' | 'TIP_ONESELF' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'tipEducator',
  method: 'POST',
  path: '/v1/educators/{educatorId}/tip',
  fill: filled,
  isIdempotent: true,
};

/** List the tips you gave, newest first. `GET /v1/educators/tips/sent` For member. */
export const listSentTips: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
  };
  data: wire.ListedTip[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listSentTips',
  method: 'GET',
  path: '/v1/educators/tips/sent',
  pages: pagesOf,
  cursor: ['before', 'transactionId'],
};

/** Retrieve totals of the tips you gave. `GET /v1/educators/tips/sent/totals` For member. */
export const getSentTipTotals: Operation<{
  data: wire.TipTotals;
  code: AnyCode | TokenCode;
}> = {
  id: 'getSentTipTotals',
  method: 'GET',
  path: '/v1/educators/tips/sent/totals',
};

/** List the tips an educator received, newest first. `GET /v1/educators/{educatorId}/tips` For educator, administrator. */
export const listReceivedTips: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: string;
  };
  data: wire.ListedTip[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listReceivedTips',
  method: 'GET',
  path: '/v1/educators/{educatorId}/tips',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'transactionId'],
};

/** Retrieve totals of the tips an educator received. `GET /v1/educators/{educatorId}/tips/totals` For educator, administrator. */
export const getReceivedTipTotals: Operation<{
  params: {
    educatorId: wire.ObjectId;
  };
  data: wire.TipTotals;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getReceivedTipTotals',
  method: 'GET',
  path: '/v1/educators/{educatorId}/tips/totals',
  fill: filled,
};
