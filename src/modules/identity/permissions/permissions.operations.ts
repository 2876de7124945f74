import { type Static, Type } from 'typebox';
import { Failure, type FailureMaker, failure, insufficientPermissions } from '../../../kernel/failures.ts';
import {
  administratorOfPermissions,
  administratorOrInternal,
  authorized,
  holds,
  memberOrInternal,
} from '../../../kernel/operations/access.ts';
import { actorOf, type Caller } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { answer, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { refusedAs } from '../../../kernel/operations/shapes.ts';
import { type Accounts, lastAdministrator } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import { formerOperations } from '../former-path.operations.ts';
import { PermissionName, Profile } from '../identity.schemas.ts';
import { MOST_DISTRIBUTED } from '../users/users.model.ts';
import type { UserStore } from '../users/users.store.ts';
import {
  Changed,
  CountPermissionResult,
  Distribution,
  ListUsersQuery,
  Permissions,
  PermissionsBody,
  ReplacePermissionsBody,
} from './permissions.schemas.ts';
import type { PermissionStore } from './permissions.store.ts';

const tag = 'Permissions';
const userParams = Type.Object({ userId: pathId('user') });
const invalidPermission = failure(400, 'INVALID_PERMISSION', 'Invalid permission');
/** The permissions are no longer those that the caller saw. */
export const permissionsChanged = (now: string[]): Failure =>
  new Failure(
    409,
    'PERMISSIONS_CHANGED',
    `The permissions have changed since you read them. They are now: ${now.join(', ') || 'none'}`,
  );
const writeFailures = [userNotFound, lastAdministrator, insufficientPermissions];

/** Only administrators and internal services may grant or revoke `admin`. */
const mayTouchAdmin = (caller: Caller): boolean => caller.kind === 'service' || holds(caller, 'admin');

interface PermissionWrite {
  method: 'POST' | 'PUT';
  path: string;
  id: string;
  summary: string;
  message: string;
  body?: typeof ReplacePermissionsBody;
  failures?: FailureMaker[];
  combine: (current: string[], given: string[], expected?: string[]) => string[];
}

const isSame = (some: string[], others: string[]): boolean =>
  new Set([...some, ...others]).size === new Set(some).size && new Set(some).size === new Set(others).size;

/** Replaces permissions that are as the caller saw them, or already as they should be. @throws permissionsChanged */
function replaced(current: string[], given: string[], expected = current): string[] {
  if (isSame(current, expected) || isSame(current, given)) return given;
  throw permissionsChanged(current);
}

/** Includes the one that was at the former path of user administration, too. */
export function permissionOperations(
  accounts: Accounts,
  store: PermissionStore,
  users: UserStore,
): Operation[] {
  async function distribution() {
    const { counts, hasMore } = await store.distribution();
    if (!hasMore) return counts;
    const most = MOST_DISTRIBUTED.toLocaleString('en');
    return answer(counts, { message: `The ${most} permissions that most users hold; there are more` });
  }
  const write = ({ combine, failures = [], message, ...described }: PermissionWrite): Operation =>
    operation({
      body: PermissionsBody,
      ...described,
      tag,
      access: authorized('write_users'),
      isSensitive: true,
      params: userParams,
      success: ok(Changed, { message }),
      failures: [...writeFailures, ...failures],
      load: ({ params }) => accounts.get(params.userId),
      handle: async ({ params, body, caller, facts }) => {
        const { permissions, expected }: Static<typeof ReplacePermissionsBody> = body;
        const next = (current: string[]) => combine(current, permissions, expected);
        const actor = actorOf(caller, facts);
        const user = await accounts.setPermissions(params.userId, next, mayTouchAdmin(caller), actor);
        return { userId: user.id, permissions: user.permissions };
      },
    });

  const operations = [
    operation({
      method: 'GET',
      path: '/v1/user/:userId/permissions',
      id: 'getPermissions',
      tag,
      summary: "List the permissions of a user: your own, or anybody's with `read_users`",
      access: memberOrInternal,
      params: userParams,
      success: ok(Permissions),
      failures: [userNotFound, insufficientPermissions],
      load: async ({ params, caller }) => {
        if (caller.kind === 'user' && caller.userId !== params.userId && !holds(caller, 'read_users')) {
          throw insufficientPermissions();
        }
        return accounts.get(params.userId);
      },
      handle: async ({ loaded: user }) => ({ permissions: user.permissions }),
    }),
    write({
      method: 'POST',
      path: '/v1/user/:userId/permissions/assign',
      id: 'assignPermissions',
      summary: 'Add permissions to a user',
      message: 'Permissions assigned successfully',
      combine: (current, given) => [...current, ...given],
    }),
    write({
      method: 'POST',
      path: '/v1/user/:userId/permissions/unassign',
      id: 'unassignPermissions',
      summary: 'Remove permissions from a user',
      message: 'Permissions unassigned successfully',
      combine: (current, given) => current.filter((one) => !given.includes(one)),
    }),
    write({
      method: 'PUT',
      path: '/v1/user/:userId/permissions',
      id: 'replacePermissions',
      summary: 'Replace all permissions of a user',
      message: 'Permissions updated successfully',
      body: ReplacePermissionsBody,
      failures: [() => permissionsChanged([])],
      combine: replaced,
    }),
    operation({
      method: 'GET',
      path: '/v1/user/permissions/distribution',
      id: 'getPermissionDistribution',
      tag,
      summary: 'Count users by permission',
      access: administratorOrInternal,
      success: ok(Distribution),
      handle: distribution,
    }),
    operation({
      method: 'GET',
      path: '/v1/admin/auth/users/permissions/distribution',
      id: 'getPermissionDistributionAsAdmin',
      tag,
      summary: 'Count users by permission',
      access: administratorOfPermissions,
      success: ok(Distribution),
      handle: distribution,
    }),
    operation({
      method: 'GET',
      path: '/v1/user/permissions/:permission/count',
      id: 'countPermission',
      tag,
      summary: 'Count the users with a permission',
      access: authorized('read_users'),
      params: Type.Object({ permission: refusedAs(PermissionName, invalidPermission) }),
      success: ok(CountPermissionResult),
      handle: async ({ params }) => ({ count: await store.countOf(params.permission) }),
    }),
    operation({
      method: 'GET',
      path: '/v1/user',
      id: 'listUsers',
      tag: 'Users',
      summary: 'Search users by name, e-mail or id, and by permissions',
      access: authorized('read_users'),
      query: ListUsersQuery,
      success: pageOf(Profile),
      handle: ({ query: { search, permissions, ...page } }) =>
        users.pageOf({ search, permissions: permissions?.split(',').map((one) => one.trim()) }, page),
    }),
  ];
  return [...operations, ...formerOperations(operations)];
}
