// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { readCsv } from '../../files.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import { renaming } from '../../renaming.ts';
import type * as types from '../types.ts';
import type * as wire from '../wire.ts';

/** Remove every second factor of a user, passkeys included. `DELETE /v1/admin/auth/users/{userId}/mfa` For administrator. */
export const removeFactorsOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.RemoveFactorsOfUserResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'removeFactorsOfUser',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}/mfa',
  fill: filled,
};

/** List the active sessions of a user, newest first. `GET /v1/admin/auth/users/{userId}/sessions` For administrator. */
export const listSessionsOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.Session[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listSessionsOfUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/sessions',
  fill: filled,
  pages: pagesOf,
};

/** End the sessions of a user: all, those of a platform, or those of a device. `DELETE /v1/admin/auth/users/{userId}/sessions` For administrator. */
export const endSessionsOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
    device?: string;
    /** Why you do it, for the audit log */
    reason?: string;
  };
  data: wire.SessionsEnded;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'INVALID_PLATFORM' | 'NOT_FOUND';
}> = {
  id: 'endSessionsOfUser',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}/sessions',
  fill: filled,
};

/** Record a purchase, which grants platform access for as long as its SKU allows. `POST /v1/admin/auth/users/{userId}/purchases` For administrator. */
export const recordPurchase: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.RecordPurchaseBody;
  data: wire.RecordedPurchase;
  renamedBody: types.RecordPurchaseBody;
  renamedData: types.RecordedPurchase;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'recordPurchase',
  method: 'POST',
  path: '/v1/admin/auth/users/{userId}/purchases',
  fill: filled,
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['product_name', 'last_purchased_date'], ['product_name', 'last_purchased_date']),
};

/** List the purchases of a user, newest record first. `GET /v1/admin/auth/users/{userId}/purchases` For administrator. */
export const listPurchases: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
  };
  data: wire.Purchase[];
  renamedData: types.Purchase[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listPurchases',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/purchases',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'id'],
  around: (request, _session, send) => renaming(request, send, ['product_name', 'last_purchased_date']),
};

/** Remove a recorded purchase. `DELETE /v1/admin/auth/users/{userId}/purchases/{purchaseId}` For administrator. */
export const removePurchase: Operation<{
  params: {
    userId: wire.ObjectId;
    purchaseId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Purchase;
  renamedData: types.Purchase;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'removePurchase',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}/purchases/{purchaseId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['product_name', 'last_purchased_date']),
};

/** List which purchases open which platform. `GET /v1/admin/platforms` For administrator. */
export const listPlatforms: Operation<{
  data: wire.PlatformAccess[];
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'listPlatforms',
  method: 'GET',
  path: '/v1/admin/platforms',
};

/** See on which platforms a user can sign in, and why not on others. `GET /v1/admin/auth/users/{userId}/access` For administrator. */
export const getAccessOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.AccessVerdict[];
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getAccessOfUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/access',
  fill: filled,
};

/** End a session of a user. `DELETE /v1/admin/auth/users/{userId}/sessions/{sessionId}` For administrator. */
export const endSessionOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
    sessionId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.SessionsEnded;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'endSessionOfUser',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}/sessions/{sessionId}',
  fill: filled,
};

/** Send a user the code for a new password. `POST /v1/admin/auth/users/{userId}/password-reset` For administrator. */
export const sendPasswordReset: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.Nothing;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'RESET_LIMIT_EXCEEDED';
}> = {
  id: 'sendPasswordReset',
  method: 'POST',
  path: '/v1/admin/auth/users/{userId}/password-reset',
  fill: filled,
};

/** Issue a one-time funding key that is valid for ten minutes. `POST /v1/admin/auth/users/{userId}/funding-key` For administrator. */
export const issueFundingKey: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.FundingKey;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'issueFundingKey',
  method: 'POST',
  path: '/v1/admin/auth/users/{userId}/funding-key',
  fill: filled,
  isIdempotent: true,
};

/** Create a user. `POST /v1/admin/auth/users` For administrator. */
export const createUser: Operation<{
  body: wire.CreateUserBody;
  data: wire.Account;
  renamedData: types.Account;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'CUSTOMER_ID_TAKEN' | 'EMAIL_TAKEN' | 'FORBIDDEN' | 'STEP_UP_REQUIRED' | 'USERNAME_TAKEN';
}> = {
  id: 'createUser',
  method: 'POST',
  path: '/v1/admin/auth/users',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
};

/** List users, newest first. `GET /v1/admin/auth/users` For administrator. */
export const listUsersAsAdmin: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters, or an id */
    search?: string;
    /** Users with one of these permissions, separated by commas, at most 10 */
    permissions?: string;
    isActive?: boolean;
    /** Users whose e-mail address is not verified; with `false` the others */
    unverified?: boolean;
    /** Users who have bought it, expired or not */
    sku?: string;
    /** Users whose purchases open it now */
    platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    createdFrom?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    createdTo?: wire.InstantText;
    /** Users who were last seen earlier, or never */
    seenBefore?: wire.InstantText;
    /** By creation; `newest` by default */
    sort?: 'newest' | 'oldest';
    /** `csv` returns all that matches as a file, at most 100,000 rows */
    format?: 'json' | 'csv';
  };
  data: wire.ListedAccount[];
  renamedData: types.ListedAccount[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listUsersAsAdmin',
  method: 'GET',
  path: '/v1/admin/auth/users',
  pages: pagesOf,
  cursor: ['before', 'id'],
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
  read: readCsv,
};

/** Retrieve a user. `GET /v1/admin/auth/users/{userId}` For administrator. */
export const getUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.Account;
  renamedData: types.Account;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
};

/** Update a user. `PUT /v1/admin/auth/users/{userId}` For administrator. */
export const updateUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.UpdateUserBody;
  data: wire.Account;
  renamedBody: types.UpdateUserBody;
  renamedData: types.Account;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'CUSTOMER_ID_TAKEN' | 'EMAIL_TAKEN' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'USERNAME_TAKEN';
}> = {
  id: 'updateUser',
  method: 'PUT',
  path: '/v1/admin/auth/users/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image'], ['educator_title', 'educator_bio', 'banner_image']),
};

/** Delete a user: personal data is erased, the id and the history are kept. `DELETE /v1/admin/auth/users/{userId}` For administrator. */
export const deleteUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** `true` deletes nothing and says what the deletion would do */
    dryRun?: boolean;
  };
  body: wire.DeleteUserBody;
  data: wire.DeleteUserResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_SMALL' | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_ID' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_EMPTY' | 'WITHDRAWAL_PENDING';
}> = {
  id: 'deleteUser',
  method: 'DELETE',
  path: '/v1/admin/auth/users/{userId}',
  fill: filled,
  isIdempotent: true,
};

/**
 * Create a user. `POST /v1/admin/users` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const createUserDeprecated: Operation<{
  body: wire.CreateUserBody;
  data: wire.Account;
  renamedData: types.Account;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'CUSTOMER_ID_TAKEN' | 'EMAIL_TAKEN' | 'FORBIDDEN' | 'STEP_UP_REQUIRED' | 'USERNAME_TAKEN';
}> = {
  id: 'createUserDeprecated',
  method: 'POST',
  path: '/v1/admin/users',
  isIdempotent: true,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
};

/**
 * List users, newest first. `GET /v1/admin/users` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const listUsersAsAdminDeprecated: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters, or an id */
    search?: string;
    /** Users with one of these permissions, separated by commas, at most 10 */
    permissions?: string;
    isActive?: boolean;
    /** Users whose e-mail address is not verified; with `false` the others */
    unverified?: boolean;
    /** Users who have bought it, expired or not */
    sku?: string;
    /** Users whose purchases open it now */
    platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    createdFrom?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    createdTo?: wire.InstantText;
    /** Users who were last seen earlier, or never */
    seenBefore?: wire.InstantText;
    /** By creation; `newest` by default */
    sort?: 'newest' | 'oldest';
    /** `csv` returns all that matches as a file, at most 100,000 rows */
    format?: 'json' | 'csv';
  };
  data: wire.ListedAccount[];
  renamedData: types.ListedAccount[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listUsersAsAdminDeprecated',
  method: 'GET',
  path: '/v1/admin/users',
  pages: pagesOf,
  cursor: ['before', 'id'],
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
  read: readCsv,
};

/**
 * Retrieve a user. `GET /v1/admin/users/{userId}` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const getUserDeprecated: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.Account;
  renamedData: types.Account;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getUserDeprecated',
  method: 'GET',
  path: '/v1/admin/users/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image']),
};

/**
 * Update a user. `PUT /v1/admin/users/{userId}` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const updateUserDeprecated: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.UpdateUserBody;
  data: wire.Account;
  renamedBody: types.UpdateUserBody;
  renamedData: types.Account;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'CUSTOMER_ID_TAKEN' | 'EMAIL_TAKEN' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'USERNAME_TAKEN';
}> = {
  id: 'updateUserDeprecated',
  method: 'PUT',
  path: '/v1/admin/users/{userId}',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['educator_title', 'educator_bio', 'banner_image'], ['educator_title', 'educator_bio', 'banner_image']),
};

/**
 * Delete a user: personal data is erased, the id and the history are kept. `DELETE /v1/admin/users/{userId}` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const deleteUserDeprecated: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  query: {
    /** `true` deletes nothing and says what the deletion would do */
    dryRun?: boolean;
  };
  body: wire.DeleteUserBody;
  data: wire.DeleteUserResult;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_SMALL' | 'BALANCE_LIMIT_EXCEEDED' | 'FORBIDDEN' | 'INVALID_ID' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_EMPTY' | 'WITHDRAWAL_PENDING';
}> = {
  id: 'deleteUserDeprecated',
  method: 'DELETE',
  path: '/v1/admin/users/{userId}',
  fill: filled,
  isIdempotent: true,
};

/** See at a glance what support needs to know of a user. `GET /v1/admin/auth/users/{userId}/overview` For administrator. */
export const getOverviewOfUser: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.UserOverview;
  renamedData: types.UserOverview;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getOverviewOfUser',
  method: 'GET',
  path: '/v1/admin/auth/users/{userId}/overview',
  fill: filled,
  around: (request, _session, send) => renaming(request, send, ['user.educator_title', 'user.educator_bio', 'user.banner_image', 'wallet._id', 'wallet.pendingWithdrawals._id']),
};
