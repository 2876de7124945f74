import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import { cursorQuery, ObjectIdShape, refusedAs } from '../../../kernel/operations/shapes.ts';
import { PermissionList } from '../identity.schemas.ts';
import { MOST_DISTRIBUTED, MOST_PERMISSIONS } from '../users/users.model.ts';

export const Permissions = Type.Object({ permissions: Type.Array(Type.String()) }, { $id: 'Permissions' });

export const PermissionsBody = Type.Object({ permissions: PermissionList }, { $id: 'PermissionsBody' });

export const ReplacePermissionsBody = Type.Object({
  permissions: PermissionList,
  expected: Type.Optional({
    ...PermissionList,
    // Users have kept more from before there was a limit.
    maxItems: 5 * MOST_PERMISSIONS,
    description: 'The permissions that you saw, in any order: 409 if others have changed them since',
  }),
});

export const Changed = Type.Object(
  { userId: ObjectIdShape, permissions: Type.Array(Type.String(), { examples: [['educator']] }) },
  { $id: 'UserPermissions' },
);

export const Distribution = Type.Unsafe<Record<string, number>>({
  $id: 'PermissionDistribution',
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: `The ${MOST_DISTRIBUTED.toLocaleString('en')} permissions that most users hold; \`message\` says if there are more`,
  examples: [{ educator: 12, admin: 2 }],
});

export const CountPermissionResult = Type.Object(
  { count: Type.Integer({ examples: [12] }) },
  { $id: 'PermissionCount' },
);

export const ListUsersQuery = Type.Object({
  ...cursorQuery({ limit: 10, before: refusedAs(ObjectIdShape, invalidId('user'), null) }),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Part of a name, e-mail or username, the beginning of one if it is shorter than three characters; or an id',
    }),
  ),
  permissions: Type.Optional(
    Type.String({
      maxLength: 1000,
      pattern: '^[a-z][a-z0-9_:.-]{0,63}( *, *[a-z][a-z0-9_:.-]{0,63})*$',
      description: 'Separated by commas. Users with at least one of them match',
      examples: ['educator,moderator'],
    }),
  ),
});
