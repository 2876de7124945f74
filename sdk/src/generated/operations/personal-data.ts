// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Begin an export of your data. `POST /v1/user/export` For member. */
export const exportOwnData: Operation<{
  data: wire.ExportBegun;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'EXPORT_LIMIT_EXCEEDED' | 'EXPORT_PENDING' | 'STEP_UP_REQUIRED' | 'STORAGE_NOT_CONFIGURED';
}> = {
  id: 'exportOwnData',
  method: 'POST',
  path: '/v1/user/export',
  isIdempotent: true,
};

/** See your newest export, and download it. `GET /v1/user/export` For member. */
export const getOwnExport: Operation<{
  data: wire.DataExport;
  code: AnyCode | TokenCode | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'getOwnExport',
  method: 'GET',
  path: '/v1/user/export',
};

/** Begin an export of a user's data. `POST /v1/admin/auth/users/{userId}/export` For administrator. */
export const exportDataOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.ExportBegun;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'STORAGE_NOT_CONFIGURED';
}> = {
  id: 'exportDataOfUser',
  method: 'POST',
  path: '/v1/admin/auth/users/{userId}/export',
  fill: filled,
  isIdempotent: true,
};

/** See a user's newest export, and download it. `GET /v1/admin/auth/users/{userId}/export` For administrator. */
export const getExportOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.DataExport;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'getExportOfUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/export',
  fill: filled,
};
