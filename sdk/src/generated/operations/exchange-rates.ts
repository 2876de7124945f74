// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { renaming } from '../../renaming.ts';
import type * as types from '../types.ts';
import type * as wire from '../wire.ts';

/** Retrieve the current exchange rate. `GET /v1/exchange-rates/current` For member. */
export const getExchangeRate: Operation<{
  query: {
    /** A currency code of ISO 4217 */
    currency?: string;
  };
  data: wire.ExchangeRate;
  renamedData: types.ExchangeRate;
  code: AnyCode | TokenCode | 'NOT_FOUND';
}> = {
  id: 'getExchangeRate',
  method: 'GET',
  path: '/v1/exchange-rates/current',
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Set what one Key is worth. `POST /v1/exchange-rates` For administrator. */
export const setExchangeRate: Operation<{
  body: wire.SetExchangeRateBody;
  data: wire.ExchangeRate;
  renamedData: types.ExchangeRate;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'STEP_UP_REQUIRED';
}> = {
  id: 'setExchangeRate',
  method: 'POST',
  path: '/v1/exchange-rates',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List the exchange rates of a currency, newest first. `GET /v1/exchange-rates/history` For member. */
export const listExchangeRates: Operation<{
  query: {
    /** A currency code of ISO 4217 */
    currency?: string;
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.ExchangeRate[];
  renamedData: types.ExchangeRate[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listExchangeRates',
  method: 'GET',
  path: '/v1/exchange-rates/history',
  pages: pagesOf,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** List the current rate of each currency. `GET /v1/exchange-rates/active` For member. */
export const listActiveExchangeRates: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.ExchangeRate[];
  renamedData: types.ExchangeRate[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listActiveExchangeRates',
  method: 'GET',
  path: '/v1/exchange-rates/active',
  pages: pagesOf,
  around: (request, _session, send) => renaming(request, send, ['_id']),
};

/** Convert Keys to money. `POST /v1/exchange-rates/convert/keys-to-usd` For member. */
export const convertKeysToMoney: Operation<{
  body: wire.ConvertKeysToMoneyBody;
  data: wire.ConvertKeysToMoneyResult;
  code: AnyCode | TokenCode | WriteCode | 'NOT_FOUND';
}> = {
  id: 'convertKeysToMoney',
  method: 'POST',
  path: '/v1/exchange-rates/convert/keys-to-usd',
  isRepeatable: true,
};

/** Convert money to Keys. `POST /v1/exchange-rates/convert/usd-to-keys` For member. */
export const convertMoneyToKeys: Operation<{
  body: wire.ConvertMoneyToKeysBody;
  data: wire.ConvertMoneyToKeysResult;
  code: AnyCode | TokenCode | WriteCode | 'NOT_FOUND';
}> = {
  id: 'convertMoneyToKeys',
  method: 'POST',
  path: '/v1/exchange-rates/convert/usd-to-keys',
  isRepeatable: true,
};
