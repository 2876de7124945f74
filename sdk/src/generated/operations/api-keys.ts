// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Issue an API key for this environment. `POST /v1/admin/api-keys` For administrator. */
export const createApiKey: Operation<{
  body: wire.CreateApiKeyBody;
  data: wire.NewApiKey;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'STEP_UP_REQUIRED';
}> = {
  id: 'createApiKey',
  method: 'POST',
  path: '/v1/admin/api-keys',
  isIdempotent: true,
};

/** List API keys, newest first. `GET /v1/admin/api-keys` For administrator. */
export const listApiKeys: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.UsedApiKey[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listApiKeys',
  method: 'GET',
  path: '/v1/admin/api-keys',
  pages: pagesOf,
};

/** Revoke an API key, effective from the next request. `DELETE /v1/admin/api-keys/{id}` For administrator. */
export const revokeApiKey: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.ApiKey;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/v1/admin/api-keys/{id}',
  fill: filled,
};

/** Rename an API key. `PATCH /v1/admin/api-keys/{id}` For administrator. */
export const updateApiKey: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.UpdateApiKeyBody;
  data: wire.ApiKey;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'updateApiKey',
  method: 'PATCH',
  path: '/v1/admin/api-keys/{id}',
  fill: filled,
};

/** Replace an API key by a new one of the same name and tier. `POST /v1/admin/api-keys/{id}/roll` For administrator. */
export const rollApiKey: Operation<{
  params: {
    id: wire.ObjectId;
  };
  body: wire.RollApiKeyBody;
  data: wire.RolledApiKey;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'API_KEY_NOT_ACTIVE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'rollApiKey',
  method: 'POST',
  path: '/v1/admin/api-keys/{id}/roll',
  fill: filled,
  isIdempotent: true,
};
