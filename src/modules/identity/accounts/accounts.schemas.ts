import { Type } from 'typebox';
import {
  nullable,
  ObjectIdShape,
  oneOf,
  pageQuery,
  readableText,
} from '../../../kernel/operations/shapes.ts';
import { educatorFields } from '../contract.ts';
import { Email, Password, PermissionList, Username } from '../identity.schemas.ts';

const Name = readableText(100);

const CustomerId = nullable(Type.String({ minLength: 1, maxLength: 100, examples: ['C-10293'] }));

export const NewAccount = Type.Object({
  email: Email,
  password: Type.Optional({
    ...Password,
    description: 'If left out, the user sets one with a password reset',
  }),
  firstName: { ...Name, examples: ['Ada'] },
  lastName: { ...Name, examples: ['Lovelace'] },
  username: Type.Optional(Username),
  customerId: Type.Optional(CustomerId),
  permissions: Type.Optional(PermissionList),
  role: Type.Optional(
    oneOf(['user', 'educator', 'admin'], {
      description: 'The permissions of the role are added to `permissions`',
    }),
  ),
});

export const AccountChanges = Type.Object({
  email: Type.Optional(Email),
  username: Type.Optional(Username),
  firstName: Type.Optional(Name),
  lastName: Type.Optional(Name),
  customerId: Type.Optional(CustomerId),
  isActive: Type.Optional(Type.Boolean()),
  ...Type.Partial(Type.Object(educatorFields)).properties,
});

export const ListUsersAsAdminQuery = Type.Object({
  ...pageQuery({ limit: 10 }),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of a name, e-mail or username, or an id' }),
  ),
});

export const DeleteUserResult = Type.Object({ userId: ObjectIdShape });
