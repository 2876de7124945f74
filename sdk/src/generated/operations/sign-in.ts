// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { keepingTokens, signingIn } from '../../device.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Create an account and sign in. `POST /v1/auth/signup` For client. */
export const signUp: Operation<{
  body: wire.SignUpBody;
  data: wire.SignedIn;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'EMAIL_TAKEN' | 'INVALID_API_KEY' | 'INVALID_PLATFORM' | 'PLATFORM_ACCESS_DENIED' | 'PLATFORM_REQUIRED' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'signUp',
  method: 'POST',
  path: '/v1/auth/signup',
  isOpen: true,
  around: signingIn,
};

/** Sign in with e-mail and password. `POST /v1/auth/signin` For client. */
export const signIn: Operation<{
  body: wire.SignInBody;
  data: wire.SignedIn;
  code: AnyCode | WriteCode | 'ACCOUNT_INACTIVE' | 'API_KEY_REQUIRED' | 'AUTHENTICATION_FAILED' | 'EMAIL_NOT_VERIFIED' | 'INVALID_API_KEY' | 'INVALID_MFA_CODE' | 'INVALID_PLATFORM' | 'MFA_REQUIRED' | 'PLATFORM_ACCESS_DENIED' | 'PLATFORM_REQUIRED' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'signIn',
  method: 'POST',
  path: '/v1/auth/signin',
  isOpen: true,
  around: signingIn,
};

/** Sign in by a passkey. `POST /v1/auth/passkeys/signin` For client. */
export const signInByPasskey: Operation<{
  body: wire.SignInByPasskeyBody;
  data: wire.SignedIn;
  code: AnyCode | WriteCode | 'ACCOUNT_INACTIVE' | 'API_KEY_REQUIRED' | 'AUTHENTICATION_FAILED' | 'EMAIL_NOT_VERIFIED' | 'INVALID_API_KEY' | 'INVALID_PLATFORM' | 'PASSKEY_REJECTED' | 'PLATFORM_ACCESS_DENIED' | 'PLATFORM_REQUIRED' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'signInByPasskey',
  method: 'POST',
  path: '/v1/auth/passkeys/signin',
  isOpen: true,
  around: signingIn,
};

/** Exchange a refresh token for a new pair of tokens. `POST /v1/auth/refresh-token` For client. */
export const refreshToken: Operation<{
  body: wire.RefreshTokenBody;
  data: wire.TokenPair;
  code: AnyCode | WriteCode | 'ACCOUNT_INACTIVE' | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_REFRESH_TOKEN';
}> = {
  id: 'refreshToken',
  method: 'POST',
  path: '/v1/auth/refresh-token',
  isOpen: true,
  isRepeatable: true,
  around: keepingTokens,
};

/** Verify your e-mail address. `POST /v1/auth/verify-email` For member, client. */
export const verifyEmail: Operation<{
  body: wire.VerifyEmailBody;
  data: wire.VerifiedEmail;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_VERIFICATION_CODE' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'verifyEmail',
  method: 'POST',
  path: '/v1/auth/verify-email',
};

/** Have a new verification mail sent. `POST /v1/auth/verify-email/resend` For member. */
export const resendVerification: Operation<{
  data: wire.ResendVerificationResult;
  code: AnyCode | TokenCode | WriteCode | 'VERIFICATION_LIMIT_EXCEEDED';
}> = {
  id: 'resendVerification',
  method: 'POST',
  path: '/v1/auth/verify-email/resend',
};

/** Verify an e-mail address on the page of its link. `POST /v1/auth/verify-email/link` For anybody. */
export const verifyEmailByLink: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  body: wire.VerifyEmailByLinkBody;
  data: wire.VerifiedEmail;
  code: AnyCode | WriteCode | 'INVALID_VERIFICATION_CODE' | 'MALFORMED_FORM' | 'TOO_MANY_ATTEMPTS';
}> = {
  id: 'verifyEmailByLink',
  method: 'POST',
  path: '/v1/auth/verify-email/link',
  isOpen: true,
};

/** Show the page of a verification link. `GET /v1/auth/verify-email/link` For anybody. */
export const showEmailVerification: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  data: wire.ShowEmailVerificationResult;
  code: AnyCode | 'INVALID_VERIFICATION_CODE';
}> = {
  id: 'showEmailVerification',
  method: 'GET',
  path: '/v1/auth/verify-email/link',
  isOpen: true,
};

/** Sign in with tokens and a user id or customer id. `POST /v1/auth/signin-sso` For client. */
export const signInSso: Operation<{
  body: wire.SignInSsoBody;
  data: wire.SsoSignedIn;
  code: AnyCode | WriteCode | 'ACCOUNT_INACTIVE' | 'API_KEY_REQUIRED' | 'AUTHENTICATION_FAILED' | 'INVALID_API_KEY' | 'INVALID_ID' | 'INVALID_PLATFORM' | 'PLATFORM_ACCESS_DENIED' | 'PLATFORM_REQUIRED';
}> = {
  id: 'signInSso',
  method: 'POST',
  path: '/v1/auth/signin-sso',
  isOpen: true,
  around: signingIn,
};

/** Sign in with tokens and a user id or customer id. `GET /v1/auth/signin-sso` For client. */
export const signInSsoByLink: Operation<{
  query: {
    userId?: wire.ObjectId;
    customerId?: string;
    /** Issued by the backoffice, or by an active session of this platform where the platform itself is the customer directory */
    accessToken: string;
    refreshToken: string;
    /** Where the member signs in */
    platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
    /** Distinguishes this device from other devices of the member */
    device?: string;
    deviceId?: string;
  };
  data: wire.SsoSignedIn;
  code: AnyCode | 'ACCOUNT_INACTIVE' | 'API_KEY_REQUIRED' | 'AUTHENTICATION_FAILED' | 'INVALID_API_KEY' | 'INVALID_ID' | 'INVALID_PLATFORM' | 'PLATFORM_ACCESS_DENIED' | 'PLATFORM_REQUIRED';
}> = {
  id: 'signInSsoByLink',
  method: 'GET',
  path: '/v1/auth/signin-sso',
  isOpen: true,
  around: signingIn,
};

/** Redeem a single sign-on token. `POST /v1/auth/sso/redeem` For client. */
export const redeemSsoToken: Operation<{
  body: wire.RedeemSsoTokenBody;
  data: wire.SsoRedeemed;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_SSO_TOKEN';
}> = {
  id: 'redeemSsoToken',
  method: 'POST',
  path: '/v1/auth/sso/redeem',
  isOpen: true,
  around: keepingTokens,
};

/** Sign out everywhere, on one platform, or on one device of a platform. `POST /v1/auth/signout` For member. */
export const signOut: Operation<{
  body: wire.SignOutBody;
  data: wire.SessionsEnded;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_PLATFORM';
}> = {
  id: 'signOut',
  method: 'POST',
  path: '/v1/auth/signout',
};

/** List your active sessions, newest first. `GET /v1/auth/sessions` For member. */
export const listSessions: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.Session[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listSessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  pages: pagesOf,
};

/** End one of your sessions. `DELETE /v1/auth/sessions/{sessionId}` For member. */
export const endSession: Operation<{
  params: {
    sessionId: wire.ObjectId;
  };
  data: wire.SessionsEnded;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'endSession',
  method: 'DELETE',
  path: '/v1/auth/sessions/{sessionId}',
  fill: filled,
};

/** End the session that a mail about a new sign-in names. `POST /v1/auth/new-sign-in` For anybody. */
export const endNewSignIn: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  body: wire.EndNewSignInBody;
  data: wire.SessionsEnded;
  code: AnyCode | WriteCode | 'INVALID_LINK' | 'MALFORMED_FORM';
}> = {
  id: 'endNewSignIn',
  method: 'POST',
  path: '/v1/auth/new-sign-in',
  isOpen: true,
};

/** Show the page of a link in a mail about a new sign-in. `GET /v1/auth/new-sign-in` For anybody. */
export const showNewSignIn: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  data: wire.ShowNewSignInResult;
  code: AnyCode | 'INVALID_LINK';
}> = {
  id: 'showNewSignIn',
  method: 'GET',
  path: '/v1/auth/new-sign-in',
  isOpen: true,
};

/** Get the options with which the browser signs in or steps up by a passkey. `POST /v1/auth/passkeys/signin-options` For client. */
export const getPasskeySignInOptions: Operation<{
  data: wire.GetPasskeySignInOptionsResult;
  code: AnyCode | WriteCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY';
}> = {
  id: 'getPasskeySignInOptions',
  method: 'POST',
  path: '/v1/auth/passkeys/signin-options',
  isOpen: true,
};
