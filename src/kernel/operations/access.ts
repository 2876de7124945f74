import { type FailureMaker, failure, insufficientPermissions } from '../failures.ts';
import type { Caller, ClientCaller, ServiceCaller, UserCaller } from './callers.ts';

/** The credentials that an operation requires, under the names used in OpenAPI. */
export type Credential =
  | 'apiKey'
  | 'bearer'
  | 'internalKey'
  | 'webhookSecret'
  | 'webhookSignature'
  | 'signedLink';

/**
 * Who may call an operation: the credentials that the gateway requires, and which of their holders it admits. `C` is
 * the type of the handler's caller.
 */
export interface Access<C extends Caller = Caller> {
  /** Names the rule in documents and in the tests' authorization matrix. */
  name: string;
  /** The audience of such operations, as named in the description. */
  audience: string[];
  /** Whether it rejects some callers with valid credentials. */
  isSelective: boolean;
  /** Alternative sets of credentials; any one is sufficient. */
  credentials: Credential[][];
  /** The response when the bearer token is missing or invalid. */
  unauthenticated: FailureMaker;
  /** Whether this authenticated caller is admitted. The operation itself checks ownership. */
  allows(caller: Caller): boolean;
  /** The response to callers who are not admitted. */
  refused: FailureMaker;
  /** Whether a malformed path, such as one with a malformed id, is refused (400) even to those who are not admitted. */
  checksPathFirst?: boolean;
  /** Admits only API keys of the Admin tier where no bearer token is presented. */
  adminKey?: boolean;
  /** Whether the webhook secret is that of the mail service, which may also come otherwise than in its header. */
  isOfMailService?: boolean;
  readonly caller?: C;
}

/**
 * One message for all three codes: the specification defines it for any call without a valid token. The code tells
 * clients how to recover.
 */
const UNAUTHENTICATED = 'User authentication required';
export const authenticationRequired = failure(401, 'AUTHENTICATION_REQUIRED', UNAUTHENTICATED);
/** The token was not issued by this platform, or its session has ended: the client must sign in again. */
export const invalidToken = failure(401, 'INVALID_TOKEN', UNAUTHENTICATED);
/** The token is genuine but has expired: the client must refresh it. */
export const expiredToken = failure(401, 'TOKEN_EXPIRED', UNAUTHENTICATED);

/** The token is genuine, but its account has been deactivated. */
export const accountInactive = failure(403, 'ACCOUNT_INACTIVE', 'Account is inactive', {
  repeatsStatus: true,
});

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

/** Whether the caller holds one of the permissions, or `admin`, which implies all of them. */
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

/** A signed-in member, or a client without a bearer token that proves otherwise whom it acts for. */
export const memberOrClient = rule<UserCaller | ClientCaller>(
  'user-or-client',
  [['apiKey', 'bearer'], ['apiKey']],
  { audience: ['member', 'client'] },
);

/** A member with the permission `admin`. */
export const administrator = rule<UserCaller>('admin', [['apiKey', 'bearer']], {
  allows: (caller) => holds(caller, 'admin'),
});

const noTokenProvided = failure(401, 'AUTHENTICATION_REQUIRED', 'No token provided');

/** The same, for operations on permissions (part 1, Errors). */
export const administratorOfPermissions: Access<UserCaller> = {
  ...administrator,
  unauthenticated: noTokenProvided,
};

/** A member with the permission `admin`, or an API key of the Admin tier without a bearer token. */
export const administratorOrAdminKey = rule<UserCaller | ClientCaller>(
  'admin-or-admin-key',
  [['apiKey', 'bearer'], ['apiKey']],
  {
    audience: ['administrator', 'operator'],
    allows: (caller) => caller.kind === 'client' || holds(caller, 'admin'),
    adminKey: true,
  },
);

type PermissionOptions = Partial<Pick<Access, 'name' | 'refused'>> & { or?: string[] };

/** A member with a permission, or one of others, or an administrator; the operation checks ownership. */
export const permitted = (
  permission: string,
  { name = permission, refused = insufficientPermissions, or = [] }: PermissionOptions = {},
): Access<UserCaller> =>
  rule<UserCaller>(name, [['apiKey', 'bearer']], {
    audience: [permission, ...or, 'administrator'],
    allows: (caller) => holds(caller, permission, ...or),
    refused,
  });

/** The same for what such members own: a malformed id in the path is refused (400) before those without the permission. */
export const permittedOwner = (permission: string, options: PermissionOptions): Access<UserCaller> => ({
  ...permitted(permission, options),
  checksPathFirst: true,
});

/** A provider that signs the raw body; the operation checks the signature. Needs no API key. */
export const signedWebhook = rule<ClientCaller>('signed-webhook', [['webhookSignature']], {
  audience: ['provider'],
});

/**
 * The external backoffice, authenticated by a shared secret that the gateway checks before it reads the body. Needs no
 * API key.
 */
export const webhookSecret = rule<ClientCaller>('webhook-secret', [['webhookSecret']], {
  audience: ['backoffice'],
});

/**
 * The mail service, authenticated in the same way by a secret of its own. It may send it in the query or as a password,
 * because such services cannot all send a header. Needs no API key.
 */
export const mailWebhookSecret = rule<ClientCaller>('mail-webhook-secret', [['webhookSecret']], {
  audience: ['backoffice'],
  isOfMailService: true,
});

export const wrongWebhookSecret = failure(401, 'UNAUTHORIZED', 'The X-Webhook-Secret is missing or wrong');
export const webhookNotConfigured = failure(503, 'WEBHOOK_NOT_CONFIGURED', 'No webhook secret is configured');

/** The holder of a signed link; the operation checks the signature. Needs no API key. */
export const signedLink = rule<ClientCaller>('signed-link', [['signedLink']], { audience: ['anybody'] });

/**
 * For operations on permissions: a signed-in member, or an internal service with the internal key instead of a token.
 */
const memberOrService = (name: string, allows: (caller: Caller) => boolean, audience = 'administrator') =>
  rule<UserCaller | ServiceCaller>(name, [['apiKey', 'bearer'], ['internalKey']], {
    audience: [audience, 'service'],
    unauthenticated: noTokenProvided,
    allows: (caller) => caller.kind === 'service' || allows(caller),
  });

/** Any signed-in member, or a service; the operation checks ownership. */
export const memberOrInternal = memberOrService('user-or-internal', () => true, 'member');

export const administratorOrInternal = memberOrService('admin-or-internal', (caller) =>
  holds(caller, 'admin'),
);

/** An administrator, a holder of the permission, or a service. */
export const authorized = (permission: string) =>
  memberOrService(`authorized:${permission}`, (caller) => holds(caller, permission));
