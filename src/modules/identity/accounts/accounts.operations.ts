import { Type } from 'typebox';
import { emailTaken } from '../../../external/directory/port.ts';
import type { FieldFault } from '../../../kernel/failures.ts';
import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { csvFile } from '../../../kernel/operations/csv-lists.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { userNotFound, usernameTaken } from '../contract.ts';
import { AccountShape } from '../identity.schemas.ts';
import { memberOfUser, type User } from '../users/users.model.ts';
import { customerIdTaken } from '../users/users.ts';
import { AccountChanges, ListedAccount, ListUsersAsAdminQuery, NewAccount } from './accounts.schemas.ts';
import { type Accounts, lastAdministrator } from './accounts.ts';
import { type ListingRules, USER_COLUMNS } from './listing.ts';

const tag = 'User administration';
const userParams = Type.Object({ userId: pathId('user') });
const takenFailures = [emailTaken, usernameTaken, customerIdTaken];

const ROLE_PERMISSIONS = { user: [], educator: ['educator'], admin: ['admin'] } as const;
/** Returns a user with the educator fields at the top level. */
export const viewOf = (user: User) => ({ ...user, ...user.educator, ...memberOfUser(user) });

interface NewPasswords {
  /** Returns what makes the password of a body easy to guess. */
  faultsIn(body: object): Promise<FieldFault[]>;
}

/** The administration of accounts. */
export const accountOperations = (
  accounts: Accounts,
  listing: ListingRules,
  policy: NewPasswords,
): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/admin/auth/users',
    id: 'createUser',
    tag,
    summary: 'Create a user',
    description: 'If no username is given, one is generated from the e-mail.',
    access: administrator,
    isSensitive: true,
    needsStepUp: ({ role = 'user', permissions = [] }) => role !== 'user' || permissions.length > 0,
    idempotent: true,
    takesSecret: true,
    body: NewAccount,
    success: created(AccountShape, { message: 'User created successfully' }),
    failures: takenFailures,
    faults: ({ body }) => policy.faultsIn(body),
    handle: async ({ body: { role = 'user', permissions = [], ...draft }, caller, facts, idempotency }) => {
      const account = { ...draft, permissions: [...ROLE_PERMISSIONS[role], ...permissions] };
      const answering = { idempotency, of: viewOf };
      return viewOf(await accounts.create(account, actorOf(caller, facts), answering));
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users',
    id: 'listUsersAsAdmin',
    tag,
    summary: 'List users, newest first',
    access: administrator,
    query: ListUsersAsAdminQuery,
    success: pageOf(ListedAccount, { alsoAs: 'text/csv' }),
    handle: async ({ query: { page, limit, before, format, ...query } }) =>
      format === 'csv'
        ? csvFile('users.csv', USER_COLUMNS, (last, most) => listing.readAfter(query, last, most))
        : listing.pageOf(query, { page, limit, before }),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/auth/users/:userId',
    id: 'getUser',
    tag,
    summary: 'Retrieve a user',
    access: administrator,
    params: userParams,
    success: ok(AccountShape),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ loaded: user }) => viewOf(user),
  }),
  operation({
    method: 'PUT',
    path: '/v1/admin/auth/users/:userId',
    id: 'updateUser',
    tag,
    summary: 'Update a user',
    description:
      'Fields that are left out keep their values. Deactivating a user ends their sessions. Permissions have operations of their own.',
    access: administrator,
    isSensitive: true,
    needsStepUp: ({ email }) => email !== undefined,
    params: userParams,
    body: AccountChanges,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(AccountShape, { message: 'User updated successfully' }),
    failures: [userNotFound, lastAdministrator, ...takenFailures, changedMeanwhile],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ loaded, body, caller, facts }) => {
      const { email, username, firstName, lastName, customerId, isActive, expectedUpdatedAt, ...educator } =
        body;
      const changes = { email, username, firstName, lastName, customerId, isActive };
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const educatorGiven = Object.keys(educator).length > 0 ? { educator } : {};
      const all = { ...given, ...educatorGiven };
      return viewOf(await accounts.update(loaded, all, actorOf(caller, facts), { expectedUpdatedAt }));
    },
  }),
];
