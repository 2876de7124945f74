import { Type } from 'typebox';
import { invalidId } from '../../../kernel/failures.ts';
import { csvQuery } from '../../../kernel/operations/csv-lists.ts';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  cursorQuery,
  DateTime,
  InstantText,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  refusedAs,
} from '../../../kernel/operations/shapes.ts';
import { educatorFields } from '../contract.ts';
import { AccountShape, Email, Password, PermissionList, Username } from '../identity.schemas.ts';
import { PLATFORMS } from '../platforms/platforms.model.ts';

const Name = nameText(100);

/** The webhooks of the backoffice are read without spaces around an id, and would find none that has them. */
const CustomerId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^\\S(.*\\S)?$',
    patternMessage: 'must not begin or end with a space',
    examples: ['C-10293'],
  }),
);

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
  ...asRead,
});

export const ListUsersAsAdminQuery = Type.Object({
  ...cursorQuery({ limit: 10, before: refusedAs(ObjectIdShape, invalidId('user'), null) }),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Part of a name, e-mail or username, the beginning of one if it is shorter than three characters, or an id',
    }),
  ),
  permissions: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_:.-]{0,63}(,[a-z][a-z0-9_:.-]{0,63}){0,9}$',
      maxLength: 650,
      description: 'Users with one of these permissions, separated by commas, at most 10',
      examples: ['educator'],
    }),
  ),
  isActive: Type.Optional(Type.Boolean()),
  unverified: Type.Optional(
    Type.Boolean({ description: 'Users whose e-mail address is not verified; with `false` the others' }),
  ),
  sku: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Users who have bought it, expired or not',
      examples: ['XHSET101'],
    }),
  ),
  platform: Type.Optional(
    oneOf(PLATFORMS, { description: 'Users whose purchases open it now', examples: ['app'] }),
  ),
  createdFrom: Type.Optional(InstantText),
  createdTo: Type.Optional(InstantText),
  seenBefore: Type.Optional({ ...InstantText, description: 'Users who were last seen earlier, or never' }),
  sort: Type.Optional(oneOf(['newest', 'oldest'], { description: 'By creation; `newest` by default' })),
  ...csvQuery,
});

export const ListedAccount = Type.Object(
  {
    ...AccountShape.properties,
    balance: nullable(Type.Integer({ description: 'Keys; null without a wallet', examples: [120] })),
    lastSeenAt: nullable(DateTime),
    skus: Type.Array(Type.String({ examples: ['XHSET101'] }), {
      description: 'What they pay for: bought, and not expired; at most 20',
    }),
  },
  { $id: 'ListedAccount' },
);
