import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { anyClient, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import {
  CreationOptions,
  PasskeyList,
  PasskeyShape,
  RegisterPasskeyBody,
  RenamePasskeyBody,
  SignInOptions,
} from './passkeys.schemas.ts';
import {
  type PasskeyRules,
  passkeyExists,
  passkeyNotFound,
  passkeyRefused,
  tooManyPasskeys,
} from './passkeys.ts';

const tag = 'Second factors';
const params = Type.Object({ id: pathId('passkey') });

export const passkeyOperations = (passkeys: PasskeyRules): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/passkeys/options',
    id: 'getPasskeyOptions',
    tag,
    summary: 'Get the options with which the browser creates a passkey (step 1 of 2)',
    access: member,
    needsStepUp: true,
    success: ok(CreationOptions),
    handle: async ({ caller }) => ({ ...(await passkeys.creationOptions(caller)) }),
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/passkeys',
    id: 'addPasskey',
    tag,
    summary: 'Add the passkey that the browser created (step 2 of 2)',
    access: member,
    needsStepUp: true,
    idempotent: true,
    body: RegisterPasskeyBody,
    success: created(PasskeyShape, { message: 'Passkey added' }),
    failures: [passkeyRefused, passkeyExists, tooManyPasskeys],
    handle: ({ caller, body: { name, response }, idempotency }) =>
      passkeys.register(
        caller,
        { name, response: response as unknown as RegistrationResponseJSON },
        idempotency,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/auth/passkeys',
    id: 'listPasskeys',
    tag,
    summary: 'List your passkeys',
    access: member,
    success: ok(PasskeyList),
    handle: ({ caller }) => passkeys.list(caller.userId),
  }),
  operation({
    method: 'PATCH',
    path: '/v1/auth/passkeys/:id',
    id: 'renamePasskey',
    tag,
    summary: 'Rename one of your passkeys',
    access: member,
    params,
    body: RenamePasskeyBody,
    success: ok(PasskeyShape),
    failures: [passkeyNotFound],
    load: ({ params, caller }) => passkeys.find(params.id, caller.userId),
    handle: ({ loaded, body }) => passkeys.rename(loaded, body.name),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/auth/passkeys/:id',
    id: 'removePasskey',
    tag,
    summary: 'Remove one of your passkeys',
    access: member,
    needsStepUp: true,
    params,
    success: ok(Type.Null(), { message: 'Passkey removed' }),
    failures: [passkeyNotFound],
    handle: async ({ params, caller }) => {
      await passkeys.remove(caller, params.id);
      return null;
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/passkeys/signin-options',
    id: 'getPasskeySignInOptions',
    tag: 'Sign-in',
    summary: 'Get the options with which the browser signs in or steps up by a passkey',
    access: anyClient,
    success: ok(SignInOptions),
    handle: async () => ({ ...(await passkeys.signInOptions()) }),
  }),
];

/** The checked body of an authentication, in the type of the library. */
export const responseOf = (body: unknown): AuthenticationResponseJSON => body as AuthenticationResponseJSON;
