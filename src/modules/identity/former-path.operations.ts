import { deprecatedAlias } from '../../kernel/operations/deprecation.ts';
import type { Operation } from '../../kernel/operations/operation.ts';

const FORMER_PATH = '/v1/admin/users';
/** The date of the deprecation of the former path; the specification names none (docs/decisions/gateway.md). */
const SINCE = new Date('2025-01-01T00:00:00Z');
/** What was at the former path; what came later never was. */
const AT_FORMER_PATH = new Set([
  'createUser',
  'listUsersAsAdmin',
  'getUser',
  'updateUser',
  'deleteUser',
  'getPermissionDistributionAsAdmin',
]);

/** Returns the administration operations that existed before `/v1/admin/auth/users`, at their former path (part 1, Versioning). */
export const formerOperations = (operations: Operation[]): Operation[] =>
  operations
    .filter(({ id }) => AT_FORMER_PATH.has(id))
    .map((one) =>
      deprecatedAlias(one, {
        path: one.path.replace('/v1/admin/auth/users', FORMER_PATH),
        id: `${one.id}Deprecated`,
        since: SINCE,
      }),
    );
