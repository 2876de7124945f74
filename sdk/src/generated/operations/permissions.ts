// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the permissions of a user: your own, or anybody's with `read_users`. `GET /v1/user/{userId}/permissions` For member, service. */
export const getPermissions: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  data: wire.Permissions;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getPermissions',
  method: 'GET',
  path: '/v1/user/{userId}/permissions',
  fill: filled,
};

/** Replace all permissions of a user. `PUT /v1/user/{userId}/permissions` For administrator, service. */
export const replacePermissions: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.ReplacePermissionsBody;
  data: wire.UserPermissions;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'PERMISSIONS_CHANGED' | 'STEP_UP_REQUIRED';
}> = {
  id: 'replacePermissions',
  method: 'PUT',
  path: '/v1/user/{userId}/permissions',
  fill: filled,
};

/** Add permissions to a user. `POST /v1/user/{userId}/permissions/assign` For administrator, service. */
export const assignPermissions: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.PermissionsBody;
  data: wire.UserPermissions;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'assignPermissions',
  method: 'POST',
  path: '/v1/user/{userId}/permissions/assign',
  fill: filled,
};

/** Remove permissions from a user. `POST /v1/user/{userId}/permissions/unassign` For administrator, service. */
export const unassignPermissions: Operation<{
  params: {
    userId: wire.ObjectId;
  };
  body: wire.PermissionsBody;
  data: wire.UserPermissions;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'LAST_ADMINISTRATOR' | 'NOT_FOUND' | 'STEP_UP_REQUIRED';
}> = {
  id: 'unassignPermissions',
  method: 'POST',
  path: '/v1/user/{userId}/permissions/unassign',
  fill: filled,
};

/** Count users by permission. `GET /v1/user/permissions/distribution` For administrator, service. */
export const getPermissionDistribution: Operation<{
  data: wire.PermissionDistribution;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getPermissionDistribution',
  method: 'GET',
  path: '/v1/user/permissions/distribution',
};

/** Count users by permission. `GET /v1/admin/auth/users/permissions/distribution` For administrator. */
export const getPermissionDistributionAsAdmin: Operation<{
  data: wire.PermissionDistribution;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getPermissionDistributionAsAdmin',
  method: 'GET',
  path: '/v1/admin/auth/users/permissions/distribution',
};

/** Count the users with a permission. `GET /v1/user/permissions/{permission}/count` For administrator, service. */
export const countPermission: Operation<{
  params: {
    /** Up to 64 lower-case letters, digits and `_ : . -`; begins with a letter. Operations ask for `admin`, `moderator`, `educator`, `read_users` and `write_users`; others grant nothing here, and are for your own systems */
    permission: string;
  };
  data: wire.PermissionCount;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_PERMISSION';
}> = {
  id: 'countPermission',
  method: 'GET',
  path: '/v1/user/permissions/{permission}/count',
  fill: filled,
};

/**
 * Count users by permission. `GET /v1/admin/users/permissions/distribution` For administrator.
 * @deprecated Use the operation that its description names instead.
 */
export const getPermissionDistributionAsAdminDeprecated: Operation<{
  data: wire.PermissionDistribution;
  code: AnyCode | TokenCode | 'FORBIDDEN';
}> = {
  id: 'getPermissionDistributionAsAdminDeprecated',
  method: 'GET',
  path: '/v1/admin/users/permissions/distribution',
};
