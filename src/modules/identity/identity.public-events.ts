import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { userChanged, userDeleted, userSignedUp, userUpdated } from './contract.ts';
import {
  factorsChangedMail,
  newSignInMail,
  passwordChangedMail,
  passwordResetMail,
  verificationMail,
  welcomeMail,
} from './requested-mails.schemas.ts';

const data = Type.Object({ userId: ObjectIdShape });

export const identityPublicEvents: PublicEvent[] = [
  publicEvent('user.created', {
    about: 'An account was created, by its owner or by an administrator',
    data,
    from: [fromEvent(userSignedUp, ({ userId }) => ({ userId }))],
  }),
  publicEvent('user.updated', {
    about: 'An account was changed: its profile, its permissions, or whether it is active',
    data: Type.Object({
      userId: ObjectIdShape,
      permissions: Type.Array(Type.String(), { description: 'All permissions that it has now' }),
      isActive: Type.Boolean({ description: 'Whether its owner may sign in' }),
    }),
    from: [
      fromEvent(userUpdated, ({ userId, permissions, isActive }) => ({ userId, permissions, isActive })),
    ],
  }),
  publicEvent('user.deleted', {
    about: 'An account was deleted. Erase what you know of the person',
    data,
    from: [fromEvent(userDeleted, ({ userId, isRepeated }) => (isRepeated ? undefined : { userId }))],
  }),
];

export const identityInternalEvents: InternalEvent[] = [
  ...internalEvents('It carries names; `user.updated` says that an account changed', userChanged),
  ...internalEvents(
    'It requests an e-mail',
    welcomeMail,
    passwordResetMail,
    verificationMail,
    newSignInMail,
    passwordChangedMail,
    factorsChangedMail,
  ),
];
