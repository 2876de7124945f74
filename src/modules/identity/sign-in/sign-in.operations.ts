import { authenticationFailed, emailTaken } from '../../../external/directory/port.ts';
import { accountInactive, anyClient } from '../../../kernel/operations/access.ts';
import { created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { emailNotVerified } from '../../../kernel/operations/verified-email.ts';
import { invalidMfaCode, mfaRequired } from '../factors/sign-in-codes.ts';
import { PasskeySignInBody, Refresh, SignedIn, SignIn, SignUp, TokenPair } from '../identity.schemas.ts';
import { responseOf } from '../passkeys/passkeys.operations.ts';
import { passkeyRejected } from '../passkeys/passkeys.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { noPlatformAccess } from '../platforms/sku-access.ts';
import { ownProfileOf } from '../profile/profile.ts';
import { invalidRefreshToken } from '../sessions/refresh-tokens.ts';
import { UNNAMED_DEVICE } from '../sessions/sessions.model.ts';
import type { SessionRules } from '../sessions/sessions.ts';
import { type Throttles, tooManyAttemptsFailure } from '../throttles/throttles.ts';
import type { UserRules } from '../users/users.ts';
import type { PasskeySignIn } from './passkey-sign-in.ts';
import type { PasswordSignIn } from './password-sign-in.ts';

interface SignInParts {
  users: UserRules;
  signInByPassword: PasswordSignIn;
  signInByPasskey: PasskeySignIn;
  sessions: SessionRules;
  throttle: Throttles;
  policy: PasswordPolicy;
}

const tag = 'Sign-in';
const noAccess = () => noPlatformAccess('app');

export const signInOperations = ({
  users,
  signInByPassword,
  signInByPasskey,
  sessions,
  throttle,
  policy,
}: SignInParts): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/auth/signup',
    id: 'signUp',
    tag,
    summary: 'Create an account and sign in',
    access: anyClient,
    body: SignUp,
    success: created(SignedIn, { message: 'User created successfully' }),
    failures: [emailTaken, noAccess, tooManyAttemptsFailure],
    faults: ({ body }) => policy.faultsIn(body),
    handle: async ({ body: { platform, device = UNNAMED_DEVICE, deviceId, ...draft }, facts }) => {
      await policy.mustBeUnguessable(draft.password, draft);
      await sessions.prepare();
      const place = { platform, device, deviceId };
      const subjects = [{ limit: 'signUpFromAddress' as const, name: facts.network }];
      return throttle.guard(facts.apiKey?.tier === 'admin' ? [] : subjects, async () => {
        await policy.mustNotBeBreached(draft.password);
        return users.signUp(draft, platform, async (tx, user) => ({
          ...(await sessions.openIn(tx, { user }, { place, method: 'password', facts, isSignUp: true })),
          user: ownProfileOf(user),
        }));
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/signin',
    id: 'signIn',
    tag,
    summary: 'Sign in with e-mail and password',
    description:
      'Ends the previous session of the member on the same platform and device. Members with an authenticator app send one of its codes as `mfaCode`.',
    access: anyClient,
    body: SignIn,
    success: ok(SignedIn, { message: 'Signed in successfully' }),
    failures: [
      authenticationFailed,
      accountInactive,
      mfaRequired,
      invalidMfaCode,
      emailNotVerified,
      noAccess,
      tooManyAttemptsFailure,
    ],
    handle: async ({ body: { device = UNNAMED_DEVICE, deviceId, mfaCode, ...credentials }, facts }) => {
      const { platform } = credentials;
      const user = await signInByPassword({ ...credentials, mfaCode, from: facts.network });
      const tokens = await sessions.open(
        { user },
        { place: { platform, device, deviceId }, method: 'password', facts },
      );
      return { ...tokens, user: ownProfileOf(user) };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/passkeys/signin',
    id: 'signInByPasskey',
    tag,
    summary: 'Sign in by a passkey',
    description: 'Requires no code. The challenge comes from `signin-options`.',
    access: anyClient,
    body: PasskeySignInBody,
    success: ok(SignedIn, { message: 'Signed in successfully' }),
    failures: [
      passkeyRejected,
      authenticationFailed,
      accountInactive,
      emailNotVerified,
      noAccess,
      tooManyAttemptsFailure,
    ],
    handle: async ({ body: { response, platform, device = UNNAMED_DEVICE, deviceId }, facts }) => {
      const place = { platform, device, deviceId };
      const { user, opened } = await signInByPasskey(responseOf(response), place, facts);
      return { ...opened, user: ownProfileOf(user) };
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/auth/refresh-token',
    id: 'refreshToken',
    tag,
    summary: 'Exchange a refresh token for a new pair of tokens',
    description: 'A refresh token can be used once. Using it again ends the session.',
    access: anyClient,
    body: Refresh,
    success: ok(TokenPair, { message: 'Token refreshed successfully' }),
    failures: [invalidRefreshToken, accountInactive],
    handle: ({ body }) => sessions.refresh(body.refreshToken),
  }),
];
