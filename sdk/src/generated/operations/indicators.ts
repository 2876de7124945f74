// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List indicators in catalogue order. `GET /v1/streams/scanners` For member. */
export const listIndicators: Operation<{
  query: {
    /** Include retired indicators; ignored unless the caller is an administrator */
    includeInactive?: boolean;
  };
  data: wire.Indicator[];
  code: AnyCode | TokenCode;
}> = {
  id: 'listIndicators',
  method: 'GET',
  path: '/v1/streams/scanners',
};

/** Add an indicator to the catalogue. `POST /v1/streams/scanners` For administrator. */
export const createIndicator: Operation<{
  body: wire.CreateIndicatorBody;
  data: wire.Indicator;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'CATALOGUE_FULL' | 'FORBIDDEN' | 'PINE_ID_TAKEN';
}> = {
  id: 'createIndicator',
  method: 'POST',
  path: '/v1/streams/scanners',
  isIdempotent: true,
};

/** Retrieve an indicator. `GET /v1/streams/scanners/{id}` For member. */
export const getIndicator: Operation<{
  params: {
    id: wire.ObjectId;
  };
  data: wire.Indicator;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getIndicator',
  method: 'GET',
  path: '/v1/streams/scanners/{id}',
  fill: filled,
};

/** Update an indicator. `PUT /v1/streams/scanners/{id}` For administrator. */
export const updateIndicator: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.UpdateIndicatorBody;
  data: wire.Indicator;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'PINE_ID_TAKEN';
}> = {
  id: 'updateIndicator',
  method: 'PUT',
  path: '/v1/streams/scanners/{id}',
  fill: filled,
};

/** Delete an indicator that nobody holds. `DELETE /v1/streams/scanners/{id}` For administrator. */
export const deleteIndicator: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INDICATOR_IN_USE' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteIndicator',
  method: 'DELETE',
  path: '/v1/streams/scanners/{id}',
  fill: filled,
};
