import { Type } from 'typebox';
import { administrator, member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import {
  ConfirmBody,
  Enrolment,
  FactorStateShape,
  FactorsRemoved,
  RecoveryCodeList,
} from './factors.schemas.ts';
import {
  authenticatorActive,
  authenticatorNotFound,
  type FactorRules,
  noFactor,
  wrongMfaCode,
} from './factors.ts';

const tag = 'Second factors';

export const factorOperations = (factors: FactorRules, accounts: Accounts): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/auth/mfa',
    id: 'getFactors',
    tag,
    summary: 'See which second factors you have',
    access: member,
    success: ok(FactorStateShape),
    handle: ({ caller }) => factors.stateOf(caller.userId),
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/mfa/totp',
    id: 'enrollAuthenticator',
    tag,
    summary: 'Begin to add an authenticator app (step 1 of 2)',
    description:
      'Show the QR code, or the secret. Nothing changes until a code of the app is confirmed; another request generates another secret.',
    access: member,
    needsStepUp: true,
    idempotent: true,
    answersSecret: true,
    success: created(Enrolment, { message: 'Scan the code, and confirm with what the app shows' }),
    failures: [authenticatorActive],
    handle: ({ caller, idempotency }) => factors.enrol(caller, idempotency),
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/mfa/totp/confirm',
    id: 'confirmAuthenticator',
    tag,
    summary: 'Confirm the authenticator app with one of its codes (step 2 of 2)',
    description: 'From now on signing in by password requires a code, too.',
    access: member,
    needsStepUp: true,
    body: ConfirmBody,
    success: ok(RecoveryCodeList, { message: 'The authenticator app is active' }),
    failures: [authenticatorNotFound, authenticatorActive, wrongMfaCode],
    handle: ({ caller, body }) => factors.confirm(caller, body.code),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/auth/mfa/totp',
    id: 'removeAuthenticator',
    tag,
    summary: 'Remove your authenticator app',
    access: member,
    needsStepUp: true,
    success: ok(FactorStateShape, { message: 'The authenticator app was removed' }),
    failures: [authenticatorNotFound],
    handle: ({ caller }) => factors.removeAuthenticator(caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/mfa/recovery-codes',
    id: 'renewRecoveryCodes',
    tag,
    summary: 'Get new recovery codes, and void the earlier ones',
    access: member,
    needsStepUp: true,
    success: ok(RecoveryCodeList, { message: 'These replace the earlier codes' }),
    failures: [noFactor],
    handle: ({ caller }) => factors.renewRecoveryCodes(caller),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/admin/auth/users/:userId/mfa',
    id: 'removeFactorsOfUser',
    tag: 'User administration',
    summary: 'Remove every second factor of a user, passkeys included',
    description: 'For members who have lost theirs. They are notified by mail.',
    access: administrator,
    isSensitive: true,
    params: Type.Object({ userId: pathId('user') }),
    success: ok(FactorsRemoved, { message: 'Second factors removed' }),
    failures: [userNotFound],
    load: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, caller, facts }) => ({
      factorsRemoved: await factors.removeAll(params.userId, actorOf(caller, facts)),
    }),
  }),
];
