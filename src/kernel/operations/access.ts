import { type FailureMaker, failure, insufficientPermissions } from '../failures.ts';
import type { Caller, ClientCaller, ServiceCaller, UserCaller } from './callers.ts';

/** The credentials an operation asks for; what they are called in OpenAPI too. */
export type Credential =
  | 'apiKey'
  | 'bearer'
  | 'internalKey'
  | 'webhookSecret'
  | 'webhookSignature'
  | 'signedLink';

/**
 * Who may call an operation: which credentials the gateway demands, and which of those callers may pass.
 * `C` is what the handler is given as its caller.
 */
export interface Access<C extends Caller = Caller> {
  /** Names the rule in documents and in the tests' authorization matrix. */
  name: string;
  /** Who calls such operations, in the words of the description. */
  audience: string[];
  /** Whether it refuses some of the callers with the right credentials. */
  isSelective: boolean;
  /** Any one of these sets of credentials will do. */
  credentials: Credential[][];
  /** Answered when the bearer token is missing or no good. */
  unauthenticated: FailureMaker;
  /** Whether this caller, having shown the credentials, may pass. Ownership is the operation's own affair. */
  allows(caller: Caller): boolean;
  /** Answered to callers who may not. */
  refused: FailureMaker;
  /** Only keys of the Admin tier. */
  adminKey?: boolean;
  readonly caller?: C;
}

/** One message for all: part 1 gives it for any call without a valid token; the code tells the client what to do. */
const UNAUTHENTICATED = 'User authentication required';
export const authenticationRequired = failure(401, 'AUTHENTICATION_REQUIRED', UNAUTHENTICATED);
/** The token was not issued by us, or its session has ended: sign in again. */
export const invalidToken = failure(401, 'INVALID_TOKEN', UNAUTHENTICATED);
/** The token is ours and has expired: refresh it. */
export const expiredToken = failure(401, 'TOKEN_EXPIRED', UNAUTHENTICATED);

const rule = <C extends Caller>(
  name: string,
  credentials: Credential[][],
  rest: Partial<Access<C>> = {},
): Access<C> => ({
  name,
  credentials,
  unauthenticated: authenticationRequired,
  audience: ['administrator'],
  refused: insufficientPermissions,
  allows: () => true,
  isSelective: rest.allows !== undefined,
  ...rest,
});

/** Holding one of the permissions, or `admin`, which holds them all. */
export const holds = (caller: Caller, ...permissions: string[]): boolean =>
  caller.kind === 'user' &&
  (caller.permissions.includes('admin') || permissions.some((one) => caller.permissions.includes(one)));

/** The API key alone. */
export const anyClient = rule<ClientCaller>('api-key', [['apiKey']], { audience: ['client'] });

/** An API key of the Admin tier, and no bearer token. */
export const adminKey = rule<ClientCaller>('admin-key', [['apiKey']], {
  audience: ['operator'],
  adminKey: true,
});

/** Any signed-in member. */
export const member = rule<UserCaller>('user', [['apiKey', 'bearer']], { audience: ['member'] });

/** A member with the permission `admin`. */
export const administrator = rule<UserCaller>('admin', [['apiKey', 'bearer']], {
  allows: (caller) => holds(caller, 'admin'),
});

/** A member with the permission `moderator`, or an administrator. */
export const moderator = rule<UserCaller>('moderator', [['apiKey', 'bearer']], {
  audience: ['moderator', 'administrator'],
  allows: (caller) => holds(caller, 'moderator'),
});

export const notEducator = failure(403, 'FORBIDDEN', 'User does not have educator permission');

/** A member with the permission `educator`, or an administrator; whose own it is, the operation checks. */
export const educator = rule<UserCaller>('educator-or-admin', [['apiKey', 'bearer']], {
  audience: ['educator', 'administrator'],
  allows: (caller) => holds(caller, 'educator'),
  refused: notEducator,
});

/** A provider that signs the raw body; the operation checks the signature. No API key. */
export const signedWebhook = rule<ClientCaller>('signed-webhook', [['webhookSignature']], {
  audience: ['provider'],
});

/** The external backoffice, by a secret that it shares with us; no API key. The gateway checks it before the body is read. */
export const webhookSecret = rule<ClientCaller>('webhook-secret', [['webhookSecret']], {
  audience: ['backoffice'],
});

export const wrongWebhookSecret = failure(401, 'UNAUTHORIZED', 'The X-Webhook-Secret is missing or wrong');
export const webhookNotConfigured = failure(
  503,
  'WEBHOOK_NOT_CONFIGURED',
  'No webhook secret is configured on this service',
);

/** The holder of a link that we signed; the operation checks the signature. No API key. */
export const signedLink = rule<ClientCaller>('signed-link', [['signedLink']], { audience: ['anybody'] });

const noTokenProvided = failure(401, 'AUTHENTICATION_REQUIRED', 'No token provided');

/** For permission operations: a signed-in member, or one of our services with the internal key in place of a token. */
const memberOrService = (name: string, allows: (caller: Caller) => boolean, who = 'administrator') =>
  rule<UserCaller | ServiceCaller>(name, [['apiKey', 'bearer'], ['internalKey']], {
    audience: [who, 'service'],
    unauthenticated: noTokenProvided,
    allows: (caller) => caller.kind === 'service' || allows(caller),
  });

/** Any signed-in member, or a service; whose own it is, the operation checks. */
export const memberOrInternal = memberOrService('user-or-internal', () => true, 'member');

export const administratorOrInternal = memberOrService('admin-or-internal', (caller) =>
  holds(caller, 'admin'),
);

/** An administrator, a holder of the permission, or a service. */
export const authorized = (permission: string) =>
  memberOrService(`authorized:${permission}`, (caller) => holds(caller, permission));
